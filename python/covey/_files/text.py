"""CSV files: split by pyarrow, typed as covey types them."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable
from typing import Any

from .._call import run_json, words_of
from .._errors import InputError

_DELIMITERS = ",;\t|"
_MOST_DIGITS = 38


def _compression(path: str) -> str | None:
    with open(path, "rb") as file:
        head = file.read(4)
    return "gzip" if head[:2] == b"\x1f\x8b" else "zstd" if head == b"\x28\xb5\x2f\xfd" else None


def _opened(path: str) -> Any:
    import pyarrow

    return pyarrow.input_stream(path, compression=_compression(path))


def _delimiter(path: str, names: list[str]) -> str:
    """The one that splits the first record into the names."""
    with _opened(path) as stream:
        head = bytes(stream.read(1 << 20)).decode("utf-8-sig", "replace")
    for delimiter in _DELIMITERS:
        if next(csv.reader(io.StringIO(head, newline=""), delimiter=delimiter), []) == names:
            return delimiter
    return _DELIMITERS[0]


def _decimals(texts: Any) -> Any:
    """At the scale of the one with most digits."""
    import pyarrow
    from pyarrow import compute

    fraction = compute.utf8_length(compute.replace_substring_regex(texts, r"^[^.]*\.?", ""))
    scale = compute.max(fraction).as_py() or 0
    return texts.cast(pyarrow.decimal128(_MOST_DIGITS, scale))


def _typed(texts: Any, kind: str) -> Any:
    import pyarrow

    try:
        if kind == "integer":
            return texts.cast(pyarrow.int64())
        if kind == "date":
            return texts.cast(pyarrow.date32())
        return _decimals(texts) if kind == "decimal" else texts
    except pyarrow.ArrowInvalid:
        return texts


def read(
    path: str, *, delimiter: str | None = None, null: str | Iterable[str] = ("",), columns: list[str] | None = None
) -> Any:
    """The table. null: texts that stand for a missing value."""
    import pyarrow
    from pyarrow import csv as reader

    if not isinstance(null, Iterable):
        raise InputError(f"null must be a text or a list of texts, not {null!r}", parameter="null")
    texts = [null] if isinstance(null, str) else list(null)
    _, found = run_json(words_of("inspect", delimiter=delimiter, null=texts), [path])
    kinds = {column["name"]: column["type"] for column in found["columns"]}
    names = list(kinds)
    try:
        with _opened(path) as stream:
            table = reader.read_csv(
                stream,
                parse_options=reader.ParseOptions(
                    delimiter=delimiter or _delimiter(path, names), newlines_in_values=True
                ),
                convert_options=reader.ConvertOptions(
                    column_types={name: pyarrow.string() for name in names},
                    null_values=texts,
                    strings_can_be_null=True,
                    quoted_strings_can_be_null=True,
                    include_columns=columns,
                ),
            )
    except (pyarrow.ArrowException, OSError) as error:
        raise InputError(f"{path}: {error}", file=path) from error
    arrays = [_typed(table.column(name), kinds[name]) for name in table.column_names]
    return pyarrow.table(arrays, names=table.column_names).replace_schema_metadata({"covey.source": "csv"})
