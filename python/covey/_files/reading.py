"""covey.read: whatever a file is, as a table of pyarrow."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Any

from .._errors import InputError
from .._folder import path_of
from . import kinds

if TYPE_CHECKING:
    import pyarrow

_XPT_RECORD = 80  # bytes; how many rows there are the file does not say
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
            programs and spreadsheets are parsed in a child process: memory_limit in bytes (64 MiB at least) and time_limit
            in seconds replace what their size lets it take.

    Raises:
        InputError: no such file, an unknown option, a library that is not installed, a file that cannot be read, or
            that crashes its parser or meets a limit.
    """
    return _read(path_of(path), options, None)


_LEAST_MEMORY = 64 << 20  # what the parsers themselves take


def _is_number(value: object, least: float) -> bool:
    return isinstance(value, (int, float)) and not isinstance(value, bool) and value >= least


def _check(name: str, options: dict[str, Any]) -> dict[str, Any]:
    """The options with columns as a list; InputError for what is none of what they may be."""
    wanted: dict[str, tuple[Callable[[Any], bool], str]] = {
        "memory_limit": (lambda value: _is_number(value, _LEAST_MEMORY), f"a number of bytes, at least {_LEAST_MEMORY:,}"),
        "time_limit": (lambda value: _is_number(value, 0), "a number of seconds"),
        "skip_rows": (lambda value: isinstance(value, int) and _is_number(value, 0), "a number of rows"),
        "sheet": (lambda value: isinstance(value, str) or isinstance(value, int) and _is_number(value, 0), "a name, or a number from 0"),
    }
    found = dict(options)
    for key, (fits, words) in wanted.items():
        if found.get(key) is not None and not fits(found[key]):
            raise InputError(f"{name}: {key} must be {words}, not {found[key]!r}", file=name, parameter=key)
    columns = found.get("columns")
    if columns is not None:
        found["columns"] = [columns] if isinstance(columns, str) else list(columns) if isinstance(columns, Iterable) else []
        if not found["columns"] or not all(isinstance(column, str) for column in found["columns"]):
            raise InputError(f"{name}: columns must be names of columns, not {columns!r}", file=name, parameter="columns")
    return found


def _read(name: str, options: dict[str, Any], goes_on: Callable[[], bool] | None) -> Any:
    """Reads, and sees that all columns are there that were asked for: not every library does."""
    options = _check(name, options)
    table = _table(name, options, goes_on)
    for column in options.get("columns") or ():
        if column not in table.column_names:
            raise InputError(f'{name}: has no column "{column}"', file=name, column=column, parameter="columns")
    return table


def _table(name: str, options: dict[str, Any], goes_on: Callable[[], bool] | None) -> Any:
    kind = kinds.of_file(name)
    for key in options:
        if key not in _OPTIONS[kind.word]:
            known = ", ".join(_OPTIONS[kind.word])
            raise InputError(
                f'{name}: reading a {kind.title} has no option "{key}"; it has {known}', file=name, parameter=key
            )
    pyarrow = kinds.load("pyarrow")
    if kind.word == "xpt" and os.path.getsize(name) % _XPT_RECORD:
        raise InputError(f"{name}: is cut off: a SAS transport file is records of {_XPT_RECORD} bytes; copy it again", file=name)
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
