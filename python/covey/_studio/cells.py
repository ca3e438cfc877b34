"""What a published cell may stand for, and rows of the original that fit a published row.

A release does not say which row of the original is which (docs/manifest.md): what is found here is one that could be.
"""

from __future__ import annotations

import csv
import os
import re
from decimal import Decimal, InvalidOperation
from typing import TYPE_CHECKING, Any

import covey

from .table import Table, texts_of

if TYPE_CHECKING:
    import numpy

_RANGE = re.compile(r"\[(.+), (.+)\]\Z")
_ITEM = re.compile(r'"((?:[^"]|"")*)"|([^,]+)')


def items_of(cell: str) -> set[str] | None:
    """The values of a set `{a, b}`; None for a cell that is none."""
    if not (cell.startswith("{") and cell.endswith("}")):
        return None
    found = _ITEM.findall(cell[1:-1].replace(", ", ","))
    return {quoted.replace('""', '"') if quoted else plain for quoted, plain in found}


def _ordered(text: str) -> Any:
    """Numbers as numbers; dates as they are, which sort by their text."""
    try:
        return Decimal(text)
    except InvalidOperation:
        return text


def _leaves(path: str) -> dict[str, set[str]]:
    """The leaves below each label of a hierarchy file."""
    below: dict[str, set[str]] = {}
    with open(path, encoding="utf-8", newline="") as file:
        for line in csv.reader(file, delimiter=";"):
            for label in line:
                below.setdefault(label, set()).add(line[0])
    return below


class Column:
    """A column of the original beside the one that was published of it."""

    def __init__(self, release: covey.Release, table: Table, facts: dict[str, Any]) -> None:
        import pyarrow

        cells = table.rows.column(facts["name"]).combine_chunks()
        if isinstance(cells, pyarrow.ChunkedArray):
            cells = cells.combine_chunks()
        coded = cells.dictionary_encode(null_encoding="encode")
        self.codes: numpy.ndarray[Any, Any] = coded.indices.to_numpy(zero_copy_only=False)
        self.values = texts_of(coded.dictionary)
        path = facts.get("hierarchy")
        self._leaves = _leaves(os.path.join(release.path, path)) if path else {}
        self._known: dict[str, Any] = {}

    def allowed(self, cell: str) -> Any:
        """Per code: may the cell stand for it?"""
        import numpy

        if cell not in self._known:
            self._known[cell] = numpy.fromiter((self._fits(cell, value) for value in self.values), bool, len(self.values))
        return self._known[cell]

    def _fits(self, cell: str, value: str) -> bool:
        if cell == value or cell == "*" or (cell == "null" and value == ""):
            return True
        if cell in self._leaves:
            return value in self._leaves[cell]
        items = items_of(cell)
        if items is not None:
            return value in items or (value == "" and "null" in items)
        found = _RANGE.match(cell)
        if found is None or value == "":
            return bool(_ordered(cell) == _ordered(value))
        low, high, own = (_ordered(text) for text in (found[1], found[2], value))
        fits: bool = type(low) is type(high) is type(own) and low <= own <= high
        return fits


class Pairs:
    """Published rows, each with a row of the original that it could be."""

    def __init__(self, release: covey.Release, table: Table) -> None:
        names = set(table.rows.column_names)
        self._table = table
        self._columns = {
            facts["name"]: Column(release, table, facts)
            for facts in release.manifest.get("columns", [])
            if facts.get("name") in names
        }

    def originals(self, names: list[str], rows: list[list[str]]) -> list[dict[str, str] | None]:
        """For each published row (its cells by names) the original's texts, a different row for each; None: none fits."""
        used: set[int] = set()
        found: list[dict[str, str] | None] = []
        for row in rows:
            at = self._find(dict(zip(names, row)), used)
            if at is None:
                found.append(None)
                continue
            used.add(at)
            found.append({name: column.values[column.codes[at]] for name, column in self._columns.items()})
        return found

    def _find(self, cells: dict[str, str], used: set[int]) -> int | None:
        import numpy

        masks = [(column, column.allowed(cells[name])) for name, column in self._columns.items() if name in cells]
        masks.sort(key=lambda pair: pair[1].mean() if len(pair[1]) else 0)  # those that leave fewest values first
        rows = None
        for column, mask in masks:
            rows = numpy.flatnonzero(mask[column.codes]) if rows is None else rows[mask[column.codes[rows]]]
        return next((int(at) for at in rows if int(at) not in used), None) if rows is not None else None
