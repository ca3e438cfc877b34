"""Writes values as YAML that the library reads back as they are: no more of the language than a policy needs."""

from __future__ import annotations

import bisect
import json
import math
import os
import re
import sys
from typing import Any

from ._errors import InputError

_PLAIN = re.compile(r"[A-Za-z_./][A-Za-z0-9_./-]*( [A-Za-z0-9_./-]+)*\Z|-?[0-9]+(\.[0-9]+|/[0-9]+)?\Z")
_LAST = "\U0010ffff"  # stands behind every key
_WORDS = {"true", "false", "null", "yes", "no", "on", "off", "y", "n", "~"}


def _quoted(text: str) -> str:
    try:
        text.encode()
    except UnicodeEncodeError:
        raise InputError(f"{text!r} is no text of Unicode: it cannot stand in a policy") from None
    quoted = json.dumps(text, ensure_ascii=False)
    return re.sub("[\x7f-\x9f\u2028\u2029\ufeff\ufffe\uffff]", lambda c: f"\\u{ord(c[0]):04x}", quoted)


def _is(value: Any, module: str, name: str) -> bool:
    """Is it an instance of a class of a module that its maker has loaded, if it is?"""
    loaded = sys.modules.get(module)
    return loaded is not None and isinstance(value, getattr(loaded, name))


def _decimal_text(value: float) -> str:
    from decimal import Decimal

    return f"{Decimal(float.__repr__(value)):f}"  # repr() of a class of numpy's names the class


def scalar(value: Any) -> str:
    """The text of a value that is no list and no mapping, as exact as it was given."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int):
        return int.__repr__(value)  # str() of a member of an enumeration may be its name
    if isinstance(value, float):
        if not math.isfinite(value):
            raise InputError(f"{value} cannot stand in a policy")
        return _decimal_text(value)
    if _is(value, "decimal", "Decimal"):
        return f"{value:f}"
    if _is(value, "fractions", "Fraction"):
        return f"{value.numerator}/{value.denominator}"
    if isinstance(value, os.PathLike):
        value = os.fsdecode(value)
    if isinstance(value, str):
        return value if _PLAIN.match(value) and value.lower() not in _WORDS else _quoted(value)
    if hasattr(value, "isoformat"):
        return _quoted(value.isoformat())
    if hasattr(value, "item"):  # numpy
        return scalar(value.item())
    raise InputError(f"a {type(value).__name__} cannot stand in a policy: {value!r}")


def _is_list(value: Any) -> bool:
    return isinstance(value, (list, tuple, set, frozenset)) or type(value).__module__ == "numpy" and hasattr(value, "tolist")


class Writer:
    """YAML that knows what stands where.

    Attributes:
        text: what was written.
    """

    def __init__(self, keys: dict[str, Any]) -> None:
        self._pieces: list[str] = []
        self._row = 1
        self._column = 1
        self._marks: list[tuple[int, int, tuple[str | int, ...]]] = []  # ascending
        self._mapping(keys)
        self.text = "".join(self._pieces)

    def path_of(self, row: int, column: int) -> tuple[str | int, ...]:
        """Keys and indices that lead to what stands at a place."""
        at = bisect.bisect_right(self._marks, (row, column, (_LAST,)))
        return self._marks[at - 1][2] if at else ()

    def _add(self, text: str) -> None:
        self._pieces.append(text)
        self._column += len(text)

    def _end_line(self) -> None:
        self._pieces.append("\n")
        self._row += 1
        self._column = 1

    def _mapping(self, keys: dict[str, Any]) -> None:
        """A line for each key, and one for each item of a list of mappings."""
        for key, value in keys.items():
            if value is None:
                continue
            self._mark((key,))
            self._add(f"{key}:")
            if isinstance(value, (list, tuple)) and value and all(isinstance(item, dict) for item in value):
                for at, item in enumerate(value):
                    self._end_line()
                    self._add("  - ")
                    self._flow(item, (key, at))
            else:
                self._add(" ")
                self._flow(value, (key,))
            self._end_line()

    def _mark(self, path: tuple[str | int, ...]) -> None:
        self._marks.append((self._row, self._column, path))

    def _flow(self, value: Any, path: tuple[str | int, ...]) -> None:
        """A value on one line."""
        self._mark(path)
        if isinstance(value, dict):
            self._add("{")
            for at, (key, item) in enumerate((k, v) for k, v in value.items() if v is not None):
                self._add(", " if at else "")
                self._mark((*path, str(key)))
                self._add(f"{scalar(str(key))}: ")
                self._flow(item, (*path, str(key)))
            self._add("}")
        elif _is_list(value) and not (hasattr(value, "ndim") and value.ndim == 0):
            self._add("[")
            for at, item in enumerate(value):
                self._add(", " if at else "")
                self._flow(item, (*path, at))
            self._add("]")
        else:
            self._add(scalar(value))


def dump(keys: dict[str, Any]) -> str:
    """A mapping as YAML."""
    return Writer(keys).text


def native(value: Any) -> Any:
    """Texts that are numbers or truth values as such, where they are written back alike."""
    if isinstance(value, dict):
        return {key: native(item) for key, item in value.items()}
    if isinstance(value, list):
        return [native(item) for item in value]
    if value in ("true", "false"):
        return value == "true"
    if isinstance(value, str) and re.match(r"-?[0-9]{1,18}(\.[0-9]{1,17})?\Z", value):
        number = float(value) if "." in value else int(value)
        return number if scalar(number) == value else value
    return value
