"""The lines of a column's hierarchy: those of a file, of a policy, or what the library makes of a rule."""

from __future__ import annotations

import csv
import io
import json
from typing import Any

import covey

from .. import _core, _yaml
from .table import Table
from .tree_lines import Lines
from .words import Refused


def read(table: Table, column: str, spec: Any) -> Lines:
    """A line per value, its ancestors behind it; spec: as a policy writes it."""
    if set(spec) == {"lines"}:
        lines = [[str(cell) for cell in line] for line in spec["lines"]]
    elif "file" in spec:
        lines = _of_file(str(spec["file"]), spec.get("delimiter"))
    else:
        lines = covey.hierarchy(table.path, column, spec)
    if not lines or len({len(line) for line in lines}) != 1 or len(lines[0]) < 2:
        raise Refused("tree.lines")
    return lines


def values_beyond(table: Table, column: str, lines: Lines) -> list[str]:
    """Values of the column, but for missing ones, that no line begins with."""
    leaves = {line[0] for line in lines}
    return [value for value, _ in table.commonest(column, table.counts(column).num_rows) if value and value not in leaves]


def parsed(text: str) -> Any:
    """A hierarchy from its YAML."""
    found = json.loads(_core.policy_json(f"hierarchy: {text}".encode(), b"hierarchy"))
    return _yaml.native(found["hierarchy"])


def _of_file(path: str, delimiter: str | None) -> Lines:
    """The lines of a hierarchy file; `;` or `,` as its first line has it."""
    try:
        with open(path, encoding="utf-8-sig", newline="") as file:
            text = file.read()
    except UnicodeDecodeError as error:
        raise covey.InputError(f"{path}: is no text in UTF-8: {error.reason} at byte {error.start}", file=path) from None
    first = text.split("\n", 1)[0]
    mark = delimiter or (";" if ";" in first else ",")
    return [line for line in csv.reader(io.StringIO(text, newline=""), delimiter=mark) if line]
