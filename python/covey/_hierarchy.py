"""Hierarchies as analysts have them: mappings, data frames, files, as a policy writes them."""

from __future__ import annotations

import datetime
import os
import sys
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NoReturn

from . import _yaml
from ._errors import InputError

_KEYS = {"file", "balanced", "interval", "cuts", "mask", "date", "lines", "missing-leaf", "delimiter"}
Line = list[Any]


def hierarchy_of(place: str, given: Any) -> tuple[Any, str | None]:
    """A hierarchy as a policy writes it, and what its lines are called by whoever gave it: "leaf", "row", or None for one
    that has the policy's own form. place: the keyword that it was given by, for complaints."""
    if given is None:
        return None, None
    if isinstance(given, (str, os.PathLike)):
        return {"file": os.fspath(given)}, None
    if isinstance(given, Mapping):
        if not given:
            raise InputError(f"{place}: the hierarchy is empty")
        if _is_as_in_policies(given):
            return dict(given), None
        lines = _of_tree(place, given) if len(given) == 1 else _of_ancestors(place, given)
        return {"lines": _padded(lines)}, "leaf"
    rows = _rows_of(given)
    if rows is None:
        raise InputError(
            f"{place}: {type(given).__name__} is no hierarchy: hand over the path of a file, a mapping from leaves to "
            "their parents, a tree of mappings, a DataFrame with one row per leaf, or a hierarchy as policies write it"
        )
    if not rows:
        raise InputError(f"{place}: the hierarchy is empty")
    return {"lines": [[_cell(place, cell) for cell in row] for row in rows]}, "row"


def _is_as_in_policies(given: Mapping[Any, Any]) -> bool:
    """{"mask": 5}, and what is one but for a slip; the library says what is wrong with it."""
    if all(isinstance(key, str) and key in _KEYS for key in given):
        return True
    return len(given) == 1 and not any(isinstance(value, (str, Iterable)) for value in given.values())


def _cell(place: str, value: Any) -> Any:
    """A label as the cell of a table has it (docs/python.md): what can be a number is one, as in a policy that was read."""
    if _is_missing(value):
        return ""
    if isinstance(value, datetime.datetime) and value.tzinfo is None and value.time() == datetime.time():
        value = value.date()
    if isinstance(value, datetime.date):
        return str(value)
    try:
        return _yaml.native(value if isinstance(value, str) else _yaml.scalar(value))
    except InputError as error:
        raise InputError(f"{place}: {error}") from None


def _is_missing(value: Any) -> bool:
    pandas = sys.modules.get("pandas")
    return value is None or pandas is not None and value is pandas.NA or bool(value != value)


def _padded(lines: list[Line]) -> list[Line]:
    """A leaf that is nearer to the root than others stands on all levels below it."""
    most = max(map(len, lines))
    return [[line[0]] * (most - len(line)) + line for line in lines]


# ---- a tree of mappings, from its root ----


def _of_tree(place: str, tree: Mapping[Any, Any]) -> list[Line]:
    lines: list[Line] = []
    ((root, below),) = tree.items()
    _walk(place, below, [_cell(place, root)], lines)
    return lines


def _walk(place: str, below: Any, ancestors: Line, lines: list[Line]) -> None:
    if len(ancestors) > 64:
        raise InputError(f"{place}: the tree is nested deeper than 64 levels")
    if below is None:
        lines.append(ancestors)
    elif isinstance(below, Mapping):
        for name, more in below.items():
            _walk(place, more, [_cell(place, name), *ancestors], lines)
    elif isinstance(below, str) or not isinstance(below, Iterable):
        lines.append([_cell(place, below), *ancestors])
    else:
        lines.extend([_cell(place, leaf), *ancestors] for leaf in below)


# ---- a mapping from leaves ----


def _of_ancestors(place: str, given: Mapping[Any, Any]) -> list[Line]:
    """Every leaf to all its ancestors, a list; or every node to its parent, a text."""
    are_lists = {isinstance(value, (list, tuple)) for value in given.values()}
    if are_lists == {True}:
        return [[_cell(place, cell) for cell in (leaf, *above)] for leaf, above in given.items()]
    if True in are_lists or any(isinstance(value, Mapping) for value in given.values()):
        raise InputError(
            f"{place}: write every leaf with the list of its ancestors, or every node with its parent, or a tree of "
            "mappings from its only root; here they are mixed"
        )
    parents = {_cell(place, node): _cell(place, parent) for node, parent in given.items() if parent is not None}
    inner = set(parents.values())
    leaves = [_cell(place, node) for node in given]
    return [_way_up(place, leaf, parents) for leaf in leaves if leaf not in inner] or _way_round(place, leaves)


def _way_up(place: str, leaf: Any, parents: dict[Any, Any]) -> Line:
    line = [leaf]
    while line[-1] in parents:
        line.append(parents[line[-1]])
        if len(line) > len(parents) + 1:
            _way_round(place, line)
    return line


def _way_round(place: str, nodes: list[Any]) -> NoReturn:
    raise InputError(f'{place}: the parents lead round in a circle, as from "{nodes[-1]}"')


# ---- one row per leaf ----


def _rows_of(given: Any) -> list[Sequence[Any]] | None:
    """The rows of a table; None: it is none. Of a DataFrame of pandas the index is no data."""
    for library in ("pandas", "polars"):
        module = sys.modules.get(library)
        if module is not None and isinstance(given, module.DataFrame):
            return list(given.itertuples(index=False, name=None) if library == "pandas" else given.iter_rows())
    if hasattr(given, "__arrow_c_stream__") and not isinstance(given, type):
        import pyarrow

        try:
            table = pyarrow.table(given)
        except pyarrow.ArrowException:  # a column, say
            return None
        return list(zip(*(column.to_pylist() for column in table.columns)))
    if isinstance(given, (list, tuple)) and all(isinstance(row, (list, tuple)) for row in given):
        return list(given)
    return None
