"""Hierarchies over the values of a column, as lines that can be looked at and changed."""

from __future__ import annotations

import csv
import json
import os
from typing import Any

from . import _folder
from ._call import run_json, words_of
from ._data import Data, Source


def hierarchy(data: Data, column: str, spec: Any, **options: Any) -> list[list[str]]:
    """The lines of a hierarchy over the values of a column: the value first, then its ancestors, the root last.

    Args:
        data: the table, as for anonymize().
        column: which column of it.
        spec: the hierarchy as a policy writes it: ``{"mask": 5}``, ``{"date": ["month", "year"]}``, ``{"balanced": 2}`` ...
        options: those of ``covey hierarchy build``.

    Raises InputError for a column that is not there, and a hierarchy that does not fit it.
    """
    source = Source(data)
    folder = _folder.make(_folder.places(None)[0])
    try:
        path = os.path.join(folder, "hierarchy.csv")
        words = ["hierarchy", "build", f"--output={path}", *words_of("", **options)[1:]]
        run_json(words, [source.name, column, json.dumps(spec, ensure_ascii=False)], sources=[source])
        with open(path, encoding="utf-8", newline="") as file:
            return list(csv.reader(file, delimiter=";"))
    finally:
        _folder.remove(folder)
