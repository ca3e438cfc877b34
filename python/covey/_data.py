"""From what analysts have to what the library reads: a path, or an Arrow stream that it takes over."""

from __future__ import annotations

import datetime
import os
import sys
from collections.abc import Callable
from typing import Any, Protocol, Union

from . import _core
from ._errors import InputError, raise_error


class ArrowStream(Protocol):
    """Anything with the Arrow PyCapsule interface: pandas, polars, pyarrow, DuckDB, nanoarrow ..."""

    def __arrow_c_stream__(self, requested_schema: object | None = None) -> object: ...


Data = Union[str, "os.PathLike[str]", ArrowStream, Any]


class Source:
    """A table under the name that the library knows it by, for as long as this object lives."""

    def __init__(self, data: Data, drops: Callable[[str], bool] = lambda name: False) -> None:
        """drops: is a column of no use, so that what is in it is no matter? DataFrames of pandas hold anything."""
        self._data: _core.Data | None = None
        self.shown = {}
        self.size: int | None = None
        if isinstance(data, (str, os.PathLike)):
            self.name = os.fspath(data)
            if isinstance(self.name, bytes):
                self.name = os.fsdecode(self.name)
            return
        try:
            self._data = _core.Data(_stream_of(data, drops))
        except _core.CoreError as error:
            raise_error(error, {})
        self.name = self._data.source
        self.shown = {self.name: f"<{type(data).__name__}>"}
        self.size = self._data.n_rows * max(self._data.n_columns, 1) * 16

    @property
    def in_memory(self) -> bool:
        return self._data is not None


def _is_pandas(data: object) -> bool:
    pandas = sys.modules.get("pandas")
    return pandas is not None and isinstance(data, pandas.DataFrame)


def _stream_of(data: Any, drops: Callable[[str], bool]) -> object:
    """The stream of a table; everything that a library says of its own data becomes an InputError."""
    if data is None:
        raise InputError("no data: hand over a path, or a table such as a DataFrame")
    try:
        if _is_pandas(data):
            return _pandas_stream(data, drops)
        if isinstance(data, type) or not hasattr(data, "__arrow_c_stream__"):
            raise InputError(
                f"{type(data).__name__} is no table: hand over a path, or something with __arrow_c_stream__ "
                "(pandas, polars, pyarrow, DuckDB ...)"
            )
        stream: object = data.__arrow_c_stream__()
        if type(stream).__name__ != "PyCapsule":
            raise InputError(f"the table cannot be handed over: its __arrow_c_stream__ gives {type(stream).__name__}")
        return stream
    except (InputError, KeyboardInterrupt, MemoryError):
        raise
    except Exception as error:
        raise InputError(f"the table cannot be handed over: {error}") from error


def _pandas_stream(frame: Any, drops: Callable[[str], bool]) -> object:
    """A DataFrame's columns; its index is no data (reset_index() makes it some)."""
    names = [str(name) for name in frame.columns]
    for name in names:
        if names.count(name) > 1:
            raise InputError(f'two columns are called "{name}"', column=name)
    try:
        import pyarrow
    except ImportError:
        raise InputError("pandas hands its data over through pyarrow: pip install pyarrow") from None
    columns = []
    for i, name in enumerate(names):
        try:
            columns.append(_pandas_column(pyarrow, name, frame.iloc[:, i]))
        except InputError:
            if not drops(name):
                raise
            columns.append(pyarrow.nulls(len(frame)))
    table = pyarrow.Table.from_arrays(columns, names=names) if names else pyarrow.table({})
    stream: object = table.__arrow_c_stream__()
    return stream


def _pandas_column(pyarrow: Any, name: str, column: Any) -> Any:
    if hasattr(column.array, "sp_values"):  # sparse
        column = column.sparse.to_dense()
    if hasattr(column, "cat") and column.cat.categories.inferred_type in ("interval", "period"):  # as of pandas.cut
        column = column.cat.rename_categories(str)
    if hasattr(column, "cat") and column.cat.categories.dtype.kind == "f":
        column = column.astype(column.cat.categories.dtype)
    if getattr(column.dtype, "byteorder", "=") in "<>":  # numbers with the other byte first, as in files of instruments
        column = column.astype(column.dtype.newbyteorder("="))
    if _is_integers_with_gaps(column):
        column = column.astype("Int64")
    try:
        values = pyarrow.array(column, from_pandas=True)
        if pyarrow.types.is_temporal(values.type) and column.dtype == object and _has_several_times(column):
            raise pyarrow.ArrowTypeError("dates, times, or times with and without a zone")
        if isinstance(values.type, pyarrow.BaseExtensionType):  # periods and intervals: as they are shown
            values = pyarrow.array(column.astype(str).where(column.notna(), None), pyarrow.string(), from_pandas=True)
        return values
    except UnicodeEncodeError as error:
        raise InputError(f'column "{name}" holds a text that is none of Unicode: {error.object[:60]!r}', column=name) from error
    except OverflowError as error:
        raise InputError(f'column "{name}" holds a whole number of more than 64 bits: make it text, as with .astype(str)', column=name) from error
    except (pyarrow.ArrowInvalid, pyarrow.ArrowTypeError, pyarrow.ArrowNotImplementedError, TypeError) as error:
        kinds = sorted({type(value).__name__ for value in column.dropna().head(10000)})
        raise InputError(
            f'column "{name}" holds values of different or unknown types ({", ".join(kinds[:5])}): give it one type, '
            f"as with .astype(str) ({str(error).splitlines()[0]})",
            column=name,
        ) from error


def _is_integers_with_gaps(column: Any) -> bool:
    """Integers of NumPy cannot be missing: pandas makes floats of a column of them as soon as one is."""
    if column.dtype.kind != "f" or not hasattr(column.dtype, "newbyteorder") or not column.hasnans:
        return False
    values = column.dropna().astype("float64")
    return len(values) > 0 and bool(((values % 1 == 0) & (values.abs() <= 2**53)).all())


def _has_several_times(column: Any) -> bool:
    """Dates beside times would lose these, and times without a zone be taken for UTC."""
    return len({(isinstance(value, datetime.datetime), getattr(value, "tzinfo", None) is None) for value in column.dropna()}) > 1
