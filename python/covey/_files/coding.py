"""From what a release publishes to what a file of a statistics program holds: codes with labels where the input had
them, numbers, dates and texts as they are."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterable, Iterator
from typing import Any

from .labels import Codebook

_NUMBER = re.compile(r"-?[0-9]+(\.[0-9]+)?\Z")
_RANGE = re.compile(r"\[(-?[0-9.]+), (-?[0-9.]+)\]\Z")


class Column:
    """A column to write.

    Attributes:
        values: Python values, None for a missing one.
        labels: by value; only of values that are there.
        missing: what stands for missing values, as the input declared it.
        format: as the input's program writes it, "" for none.
        is_text: whether the values are texts.
        is_long: whether they are texts because they are numbers that doubles do not hold.
    """

    def __init__(
        self, name: str, values: list[Any], facts: dict[str, Any], labels: dict[Any, str] | None = None
    ) -> None:
        self.name = name
        self.values = values
        self.label: str = facts.get("label", "")
        self.labels = labels or {}
        self.is_text = any(isinstance(value, str) for value in values)
        self.is_long = False
        self.missing: list[Any] = [] if self.is_text else facts.get("missing", [])
        self.format: str = "" if self.is_text else facts.get("format", "")
        self.measure: str = facts.get("measure", "")


def number_of(text: str) -> int | float | None:
    """The number that a text is; None: none."""
    if not _NUMBER.match(text):
        return None
    return float(text) if "." in text else int(text)


def _parts(text: str) -> list[str]:
    """What a published cell names: itself, the ends of a range, the members of a set."""
    ends = _RANGE.match(text)
    if ends:
        return [ends[1], ends[2]]
    return text[1:-1].split(", ") if text.startswith("{") and text.endswith("}") else [text]


def _is_category(texts: list[str | None], labels: dict[str, str]) -> bool:
    """Does every number in the cells have a label? Else it is a number of which some values have one, such as 99
    refused, and codes of ranges would pass for numbers."""
    there = {text for text in texts if text is not None}
    if all(number_of(text) is not None for text in there):
        return True
    return _is_labelled(there, labels)


def _is_labelled(texts: Iterable[str | None], labels: dict[str, str]) -> bool:
    """Has everything that the cells name a label, or is it one?"""
    return bool(labels) and all(
        part in labels for text in texts if text is not None for part in _parts(text) if number_of(part) is not None
    )


def label_of(text: str, labels: dict[str, str]) -> str:
    """A published cell in the words of the labels: {1, 2} is {male, female}, [1, 3] is [low, high], a label of a
    hierarchy is itself."""
    if text in labels:
        return labels[text]
    ends = _RANGE.match(text)
    if ends:
        return f"[{labels.get(ends[1], ends[1])}, {labels.get(ends[2], ends[2])}]"
    if text.startswith("{") and text.endswith("}"):
        return "{" + ", ".join(labels.get(part, part) for part in text[1:-1].split(", ")) + "}"
    return text


def in_words(texts: list[str | None], labels: dict[str, str]) -> tuple[list[str | None], list[str]] | None:
    """Published cells in the words of the labels, and all the words in the order of their codes, a group before its
    members. None for a column that has no labels, or is a number of which some values have one."""
    if not labels or not _is_category(texts, labels):
        return None
    there = [text for text in dict.fromkeys(texts) if text is not None]
    words = {text: label_of(text, labels) for text in there}

    def rank(text: str) -> tuple[bool, float, float]:
        codes = [number for number in map(number_of, _parts(text)) if number is not None]
        return not codes, min(codes, default=0), -max(codes, default=0)

    ordered = dict.fromkeys(words[text] for text in sorted(there, key=rank))
    return [None if text is None else words[text] for text in texts], list(ordered)


def _is_missing(code: int, missing: list[Any]) -> bool:
    for item in missing:
        low, high = (item.get("lo"), item.get("hi")) if isinstance(item, dict) else (item, item)
        if isinstance(low, (int, float)) and isinstance(high, (int, float)) and low <= code <= high:
            return True
    return False


def _free_codes(used: list[float], missing: list[Any], free: int | None) -> Iterator[int]:
    """Codes that neither stand for something nor for a missing value: above those in use, or below them. free: above all
    codes that the input had, of which a release says no more."""
    if free is not None:
        used = [free - 1, 1 - free]
    finite = [item.get("hi") if isinstance(item, dict) else item for item in missing]
    tops = [end for end in finite if isinstance(end, (int, float)) and abs(end) < 2**31]
    highest = math.floor(max([0, *used, *tops]))
    if not _is_missing(highest + 1, missing):
        yield from range(highest + 1, 2**31 - 1)
    lowest = math.ceil(min([0, *used]))
    yield from (code for code in range(lowest - 1, -(2**31), -1) if not _is_missing(code, missing))


def _coded(name: str, texts: list[str | None], facts: dict[str, Any], labels: dict[str, str]) -> Column:
    """Codes: those of the input where a cell is one, new ones for what generalizes them."""
    there = dict.fromkeys(text for text in texts if text is not None)
    codes: dict[str, int | float] = {}
    for text in there:
        number = number_of(text)
        if number is not None:
            codes[text] = number
    missing = facts.get("missing", [])
    old = [number for number in map(number_of, labels) if number is not None]
    free = _free_codes([*old, *codes.values()], missing, facts.get("free_code"))
    shown: dict[Any, str] = {codes[text]: labels[text] for text in codes if text in labels}
    for text in there:
        if text not in codes:
            codes[text] = next(free)
            shown[codes[text]] = label_of(text, labels)
    for code in old:  # those of missing values, which no cell shows
        if _is_missing(code, missing):  # type: ignore[arg-type]
            shown.setdefault(code, labels[str(code)])
    return Column(name, [None if text is None else codes[text] for text in texts], facts, shown)


def _texts(values: list[Any]) -> list[str | None]:
    return [None if value is None else str(value) for value in values]


def _is_long(value: Any) -> bool:
    """Has a number more than the 15 digits that every double holds?"""
    import decimal

    if isinstance(value, decimal.Decimal):
        return len(value.normalize().as_tuple().digits) > 15
    return isinstance(value, int) and abs(value) >= 10**15


def columns_of(table: Any, codebook: Codebook, has_labels: bool) -> list[Column]:
    """The columns of a released table, as a format writes them that has value labels, or has not: there a column
    whose values all have labels becomes these, and so does what was generalized."""
    return [_column(name, table.column(name).to_pylist(), codebook, has_labels) for name in table.column_names]


def _column(name: str, values: list[Any], codebook: Codebook, has_labels: bool) -> Column:
    import decimal

    facts, labels = codebook.facts(name), codebook.values(name)
    if labels and all(number_of(value) is not None for value in labels):
        texts = _texts(values)
        if has_labels and _is_category(texts, labels):
            return _coded(name, texts, facts, labels)
        if any(text is not None and number_of(text) is None for text in texts) or (not has_labels and _is_labelled(texts, labels)):
            return Column(name, [None if text is None else label_of(text, labels) for text in texts], facts)
    if any(map(_is_long, values)):
        column = Column(name, [None if value is None else f"{value:f}" if isinstance(value, decimal.Decimal) else str(value) for value in values], facts)
        column.is_long = True
        return column
    numbers = [float(value) if isinstance(value, decimal.Decimal) else value for value in values]
    shown = {value: labels[value] for value in dict.fromkeys(values) if isinstance(value, str) and value in labels}
    return Column(name, numbers, facts, shown)


def with_metadata(table: Any, codebook: Codebook, metadata_of: Callable[[Any], dict[bytes, bytes]]) -> Any:
    """The table with facts in its fields, the labels of values that are there alone."""
    import pyarrow

    fields = []
    for field in table.schema:
        facts = dict(codebook.facts(field.name))
        there, labels = set(_texts(table.column(field.name).unique().to_pylist())), codebook.values(field.name)
        shown = {value: label for value, label in labels.items() if value in there}
        if _is_labelled(there, labels):  # what was generalized has a label made of theirs
            groups = sorted(text for text in there if text is not None and text not in labels)
            shown |= {text: label for text in groups if (label := label_of(text, labels)) != text}
        facts["value_labels"] = shown
        fields.append(field.with_metadata(metadata_of(facts) or None))
    own = {"covey.source": codebook.source, "covey.file_label": codebook.file_label}
    return table.cast(pyarrow.schema(fields, metadata=own))
