"""Which columns together single people out."""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import Any

from ._call import Progress, run_json, words_of
from ._data import Data, Source
from ._errors import InputError


def combinations(
    data: Data, columns: Iterable[str] | None = None, *, most: int = 3, progress: Progress = None, **options: Any
) -> list[dict[str, Any]]:
    """Every combination of up to so many columns, with the number of rows that have values there which no other row has: the
    smallest sets first, those that single out most rows first among them.

    Args:
        data: the table, as for anonymize().
        columns: none but these.
        most: how many columns a combination may have; there are many of four and more.
        progress: called with (phase, done, to_do) now and then; returning False stops the work.
        options: those of ``covey inspect`` that say how the table is read, such as null=["", "?"].

    Returns mappings with columns, unique_rows, uniqueness (their share of all rows). A missing cell is a value of its own;
    numbers are equal however they are written.

    Raises InputError for a column that is not there, and for more than a million combinations; Cancelled where progress
    stopped it.
    """
    if columns is not None and not isinstance(columns, Iterable):
        raise InputError(f"columns must be names of columns, not {columns!r}", parameter="columns")
    source = Source(data)
    words = words_of("inspect", together=most, **options)
    if columns is not None:
        words.append(f"--quasi={json.dumps([columns] if isinstance(columns, str) else list(columns), ensure_ascii=False)}")
    found: list[dict[str, Any]] = run_json(words, [source.name], sources=[source], progress=progress)[1]["single_out"]
    return found
