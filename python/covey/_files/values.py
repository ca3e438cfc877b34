"""Columns of Python values as columns of Arrow, for parsers that give nothing better."""

from __future__ import annotations

import datetime
from typing import Any

from .labels import value_text

_MOST_EXACT = 2**53


def _is_midnight(value: Any) -> bool:
    return isinstance(value, datetime.datetime) and value.time() == datetime.time() and value.tzinfo is None


def _texts(values: list[Any]) -> list[str | None]:
    return [
        None if value is None else str(value).lower() if isinstance(value, bool) else value_text(value)
        for value in values
    ]


def column_of(values: list[Any]) -> Any:
    """Whole numbers become integers, midnights dates; values of several types their texts."""
    import pyarrow

    kinds = {type(value) for value in values}
    kinds.discard(type(None))
    if not kinds:
        return pyarrow.nulls(len(values), pyarrow.string())
    if kinds <= {int, float}:
        values = [None if value != value else value for value in values]
        if all(value is None or (float(value).is_integer() and abs(value) < _MOST_EXACT) for value in values):
            return pyarrow.array([None if value is None else int(value) for value in values], pyarrow.int64())
        return pyarrow.array(values, pyarrow.float64())
    if kinds <= {datetime.date, datetime.datetime}:
        if all(value is None or type(value) is datetime.date or _is_midnight(value) for value in values):
            dates = [value.date() if isinstance(value, datetime.datetime) else value for value in values]
            return pyarrow.array(dates, pyarrow.date32())
        zero = datetime.time()
        times = [datetime.datetime.combine(v, zero) if type(v) is datetime.date else v for v in values]
        return pyarrow.array(times, pyarrow.timestamp("us"))
    if len(kinds) == 1 and kinds <= {bool, datetime.time, datetime.timedelta, str}:
        return pyarrow.array(values)
    return pyarrow.array(_texts(values), pyarrow.string())
