"""What a published cell may stand for, and rows of the original that fit a published row.

A release does not say which row of the original is which (docs/manifest.md): what is found here is one that could be.
"""

from __future__ import annotations

import csv
import math
import os
import re
from typing import TYPE_CHECKING, Any

import covey

from .table import Table, texts_of

if TYPE_CHECKING:
    import numpy

_RANGE = re.compile(r"\[(.+), (.+)\]\Z")
_DECIMAL = re.compile(r"-?\d+\.\d+\Z")
_PLACES = re.compile(r"\.?0+\Z")
_ITEM = re.compile(r'"((?:[^"]|"")*)"|([^,]+)')


def items_of(cell: str) -> set[str] | None:
    """The values of a set `{a, b}`; None for a cell that is none."""
    if not (cell.startswith("{") and cell.endswith("}")):
        return None
    found = _ITEM.findall(cell[1:-1].replace(", ", ","))
    return {quoted.replace('""', '"') if quoted else plain for quoted, plain in found}


def plain(text: str) -> str:
    """The same text for the same number: 1.50 is 1.5, and 2.0 is 2."""
    return _PLACES.sub("", text) if "." in text and _DECIMAL.match(text) else text


def _number(text: str) -> float:
    try:
        return float(text)
    except ValueError:
        return math.nan


def _leaves(release: covey.Release, table: Table, facts: dict[str, Any]) -> dict[str, set[str]]:
    """The leaves below each label of the column's hierarchy; one that was built from the data is built again."""
    below: dict[str, set[str]] = {}
    spec = facts.get("hierarchy_spec")
    if spec and not facts.get("hierarchy_complete"):
        lines = covey.hierarchy(table.path, facts["name"], spec)
    elif facts.get("hierarchy"):
        with open(os.path.join(release.path, facts["hierarchy"]), encoding="utf-8", newline="") as file:
            lines = list(csv.reader(file, delimiter=";"))
    else:
        return below
    for line in lines:
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
        self._leaves = _leaves(release, table, facts)
        self._code_of = {value: code for code, value in enumerate(self.values)}
        self._is_date = facts.get("type") == "date"
        self._as_numbers: Any = None
        self._known: dict[str, Any] = {}

    def allowed(self, cell: str) -> Any:
        """Per code: may the cell stand for it?"""
        if cell not in self._known:
            self._known[cell] = self._find(cell)
        return self._known[cell]

    def divided(self, cells: list[str]) -> list[int]:
        """How many rows each of the cells stands for; of several that could, the one that says most has a value."""
        import numpy

        rows = numpy.bincount(self.codes, minlength=len(self.values))
        free = numpy.ones(len(self.values), bool)
        found = [0] * len(cells)
        for at in sorted(range(len(cells)), key=lambda at: self.allowed(cells[at]).sum()):
            mine = self.allowed(cells[at]) & free
            free &= ~mine
            found[at] = int(rows[mine].sum())
        return found

    def _find(self, cell: str) -> Any:
        import numpy

        found = numpy.zeros(len(self.values), bool)
        if cell == "*":
            found[:] = True
            return found
        items = self._leaves.get(cell) or items_of(cell) or {cell}
        for item in [*items, *([""] if "null" in items else [])]:
            if item in self._code_of:
                found[self._code_of[item]] = True
        ends = _RANGE.match(cell)
        if ends is not None and not found.any():
            if self._is_date:
                found[:] = [ends[1] <= value <= ends[2] for value in self.values]
            else:
                found |= (self._numbers() >= _number(ends[1])) & (self._numbers() <= _number(ends[2]))
        elif not found.any() and not math.isnan(_number(cell)):
            found |= self._numbers() == _number(cell)  # 1.50 is 1.5
        return found

    def _numbers(self) -> Any:
        import numpy

        if self._as_numbers is None:
            self._as_numbers = numpy.fromiter((_number(value) for value in self.values), float, len(self.values))
        return self._as_numbers


class Pairs:
    """Published rows, each with a row of the original that it could be."""

    def __init__(self, columns: dict[str, Column]) -> None:
        self.columns = columns

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
            found.append({name: column.values[column.codes[at]] for name, column in self.columns.items()})
        return found

    def _find(self, cells: dict[str, str], used: set[int]) -> int | None:
        import numpy

        masks = [(column, column.allowed(cells[name])) for name, column in self.columns.items() if name in cells]
        masks.sort(key=lambda pair: pair[1].mean() if len(pair[1]) else 0)  # those that leave fewest values first
        rows = None
        for column, mask in masks:
            rows = numpy.flatnonzero(mask[column.codes]) if rows is None else rows[mask[column.codes[rows]]]
        return next((int(at) for at in rows if int(at) not in used), None) if rows is not None else None
