"""Hierarchies over the values of a column, as lines that can be looked at and changed."""

from __future__ import annotations

import csv
import os
from typing import Any

from . import _folder, _yaml
from ._call import run_json, words_of
from ._data import Data, Source
from ._errors import InputError
from ._hierarchy import hierarchy_of


def hierarchy(data: Data, column: str, spec: Any, **options: Any) -> list[list[str]]:
    """The lines of a hierarchy over the values of a column: the value first, then its ancestors, the root last.

    Args:
        data: the table, as for anonymize().
        column: which column of it.
        spec: the hierarchy as a policy writes it: ``{"mask": 5}``, ``{"date": ["month", "year"]}``, ``{"balanced": 2}`` ...;
            or as for ``Policy(quasi={column: ...})``.
        options: those of ``covey hierarchy build``.

    Raises InputError for a column that is not there, and a hierarchy that does not fit it.
    """
    if not isinstance(column, str):
        raise InputError(f"column must be a name, not {column!r}", parameter="column")
    for name in {"output", "force"} & options.keys():
        raise InputError(f"hierarchy has no option {name}: it gives the lines", parameter=name)
    wanted, _ = hierarchy_of("spec", spec)
    if wanted is None:
        raise InputError("spec: None is no hierarchy", parameter="spec")
    source = Source(data)
    folder = _folder.make(_folder.places(None)[0])
    try:
        path = os.path.join(folder, "hierarchy.csv")
        words = ["hierarchy", "build", f"--output={path}", *words_of("", **options)[1:]]
        run_json(words, [source.name, column, _yaml.dump({"-": wanted})[3:].rstrip("\n")], sources=[source])
        with open(path, encoding="utf-8", newline="") as file:
            return list(csv.reader(file, delimiter=";"))
    finally:
        _folder.remove(folder)
