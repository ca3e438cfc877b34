"""covey.read: whatever a file is, as a table of pyarrow."""

from __future__ import annotations

import os
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from .._errors import InputError
from . import kinds
if TYPE_CHECKING:
    import pyarrow

_LIMITS = ("memory_limit", "time_limit")
_OPTIONS = {
    "csv": ("delimiter", "null", "columns"),
    "parquet": ("columns",),
    "arrow": ("columns",),
    "sav": ("user_missing", "encoding", "columns", *_LIMITS),
    "dta": ("user_missing", "encoding", "columns", *_LIMITS),
    "sas7bdat": ("user_missing", "encoding", "columns", "catalog", *_LIMITS),
    "xpt": ("encoding", "columns", *_LIMITS),
    "xlsx": ("sheet", "skip_rows", *_LIMITS),
    "xls": ("sheet", "skip_rows", *_LIMITS),
    "ods": ("sheet", "skip_rows", *_LIMITS),
}


def read(path: str | os.PathLike[str], **options: Any) -> pyarrow.Table:
    """Reads a table: CSV (also .gz and .zst), Parquet, Arrow and Feather, SPSS .sav and .zsav, Stata .dta, SAS
    .sas7bdat and .xpt, Excel .xlsx and .xls, OpenDocument .ods. What a file is, its first bytes say.

    Values are as the file has them: labelled ones are codes, and their labels are in the metadata of the field, under
    b"covey.label", b"covey.value_labels" (JSON: {"1": "male"}), b"covey.missing" (JSON: what stands for a missing
    value), b"covey.format" and b"covey.measure". Whole numbers are integers, midnights are dates.

    Args:
        path: the file.
        options: by format. CSV: delimiter, null. Spreadsheets: sheet (name, or number from 0), skip_rows. Statistics:
            user_missing=True keeps values that the file declares missing, which are nulls otherwise; encoding; catalog,
            the .sas7bcat beside a .sas7bdat. All but spreadsheets: columns, none but these. Files of statistics
            programs and spreadsheets are parsed in a child process: memory_limit in bytes and time_limit in seconds
            replace what their size lets it take.

    Raises:
        InputError: no such file, an unknown option, a library that is not installed, a file that cannot be read, or
            that crashes its parser or meets a limit.
    """
    return _read(os.fspath(path), options, None)


def _read(name: str, options: dict[str, Any], goes_on: Callable[[], bool] | None) -> Any:
    kind = kinds.of_file(name)
    for key in options:
        if key not in _OPTIONS[kind.word]:
            known = ", ".join(_OPTIONS[kind.word])
            raise InputError(
                f'{name}: reading a {kind.title} has no option "{key}"; it has {known}', file=name, parameter=key
            )
    pyarrow = kinds.load("pyarrow")
    if kind.is_foreign:
        from . import child

        given = {key: os.fspath(value) if isinstance(value, os.PathLike) else value for key, value in options.items()}
        return child.parse(name, kind.word, given, goes_on)
    if kind.word == "csv":
        from . import text

        return text.read(name, **options)
    try:
        return _columnar(kind.word, name, **options)
    except (pyarrow.ArrowException, OSError) as error:
        raise InputError(f"{name}: cannot be read as {kind.title} ({error})", file=name) from error


def _columnar(word: str, name: str, columns: list[str] | None = None) -> Any:
    if word == "parquet":
        return kinds.load("pyarrow.parquet").ParquetFile(name).read(columns)
    return kinds.load("pyarrow.feather").read_table(name, columns=columns)


def is_foreign(name: str) -> bool:
    """Is it a file that the library does not read itself? False also where it cannot be looked at: others complain."""
    try:
        with open(name, "rb") as file:
            return kinds.of_bytes(file.read(128)) is not None
    except (OSError, ValueError):
        return False


def stream(name: str, goes_on: Callable[[], bool]) -> object:
    """For the library, when it meets a file that is not its own: the file as an Arrow stream."""
    capsule: object = _read(name, {}, goes_on).__arrow_c_stream__()
    return capsule
