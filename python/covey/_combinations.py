"""Which columns together single people out."""

from __future__ import annotations

import itertools
import os
from collections.abc import Iterable
from typing import Any

from ._call import Progress
from ._data import Data
from ._errors import Cancelled, InputError

_MOST_CELLS = 1 << 22  # that are counted in an array instead of by sorting


def combinations(
    data: Data, columns: Iterable[str] | None = None, *, most: int = 3, progress: Progress = None
) -> list[dict[str, Any]]:
    """Every combination of up to so many columns, with the number of rows that have values there which no other row has: the
    smallest sets first, those that single out most rows first among them. Needs numpy and pyarrow.

    Args:
        data: a path, or a table of pyarrow or with __arrow_c_stream__.
        columns: none but these.
        most: how many columns a combination may have; there are many of four and more.
        progress: called with (phase, done, to_do) now and then; returning False stops the work.

    Returns mappings with columns, unique_rows, uniqueness (their share of all rows). A missing cell is a value of its own.

    Raises InputError for a column that is not there; Cancelled where progress stopped it.
    """
    import numpy
    import pyarrow

    from ._files.reading import read

    table = read(data) if isinstance(data, (str, os.PathLike)) else data if isinstance(data, pyarrow.Table) else pyarrow.table(data)
    names = list(table.column_names if columns is None else columns)
    for name in names:
        if name not in table.column_names:
            raise InputError(f'there is no column "{name}"', column=name)
    coded = {name: _codes(numpy, table.column(name)) for name in names}
    sets = [chosen for size in range(1, min(most, len(names)) + 1) for chosen in itertools.combinations(names, size)]
    found = []
    for at, chosen in enumerate(sets):
        if callable(progress) and progress("combinations", at, len(sets)) is False:
            raise Cancelled("stopped")
        n = _unique_rows(numpy, [coded[name] for name in chosen])
        found.append({"columns": list(chosen), "unique_rows": n, "uniqueness": n / max(table.num_rows, 1)})
    return sorted(found, key=lambda item: (len(item["columns"]), -item["unique_rows"], item["columns"]))


def _codes(numpy: Any, column: Any) -> tuple[Any, int]:
    """A column as codes, and how many there are."""
    cells = column.combine_chunks().dictionary_encode(null_encoding="encode")
    chunks = cells.chunks if hasattr(cells, "chunks") else [cells]
    codes = [chunk.indices.to_numpy(zero_copy_only=False) for chunk in chunks]
    joined = numpy.concatenate(codes).astype(numpy.int64) if codes else numpy.zeros(0, numpy.int64)
    return joined, int(joined.max()) + 1 if len(joined) else 1


def _unique_rows(numpy: Any, coded: list[tuple[Any, int]]) -> int:
    """Rows whose codes together occur once."""
    keys, n = coded[0]
    for codes, size in coded[1:]:
        if n > (1 << 62) // size:
            keys = numpy.unique(keys, return_inverse=True)[1]
            n = int(keys.max()) + 1
        keys, n = keys * size + codes, n * size
    if n <= _MOST_CELLS:
        return int((numpy.bincount(keys, minlength=1) == 1).sum())
    return int((numpy.unique(keys, return_counts=True)[1] == 1).sum())
