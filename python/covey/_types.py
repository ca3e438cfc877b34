"""What the cells of a release mean, for data frames: ranges with two ends, categories in their order."""

from __future__ import annotations

import csv
import os
import re
from typing import Any

_RANGE = re.compile(r"\[(-?[0-9.]+), (-?[0-9.]+)\]\Z")
_NUMBER = re.compile(r"-?[0-9]+(\.[0-9]+)?\Z")

Ends = dict[str, tuple[Any, Any]]


def _number(text: str) -> int | float:
    return float(text) if "." in text else int(text)


def ends_of(labels: list[str]) -> Ends | None:
    """Lowest and highest value by cell; suppressed and missing cells have none. None: there is a cell that is no range."""
    ends: Ends = {}
    for label in labels:
        found = _RANGE.match(label)
        if found:
            ends[label] = _number(found[1]), _number(found[2])
        elif _NUMBER.match(label):
            ends[label] = _number(label), _number(label)
        elif label not in ("*", "null"):
            return None
    return ends or None


def facts_of(manifest: dict[str, Any], name: str) -> dict[str, Any]:
    """What the manifest says of a column; an empty mapping for one of the release's own, such as class."""
    return next((column for column in manifest.get("columns", []) if column.get("name") == name), {})


def order_of(folder: str, facts: dict[str, Any], labels: list[str]) -> list[str] | None:
    """The labels in their order: the one that the policy gave, or the hierarchy's, a group before its members. None: they
    have no order, or not all of them."""
    rank: dict[str, Any] = {label: (at, 0) for at, label in enumerate(facts.get("order") or [])}
    if not rank and facts.get("hierarchy"):
        with open(os.path.join(folder, facts["hierarchy"]), encoding="utf-8", newline="") as file:
            for at, line in enumerate(csv.reader(file, delimiter=";")):
                for depth, label in enumerate(line):
                    rank.setdefault(label, (at, -depth))
    if any(label not in rank for label in labels):
        return None
    return sorted(labels, key=lambda label: rank[label])


def meaning_of(
    folder: str, manifest: dict[str, Any], name: str, labels: list[str]
) -> tuple[Ends | None, list[str] | None]:
    """Of a column with these labels: the ends of its ranges, or the order of its categories, or neither."""
    facts = facts_of(manifest, name)
    ends = ends_of(labels) if facts.get("publish") == "range" else None
    return ends, order_of(folder, facts, labels) if ends is None else None
