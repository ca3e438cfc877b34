"""Writes values as YAML that the library reads back as they are: no more of the language than a policy needs."""

from __future__ import annotations

import json
import math
import os
import re
import sys
from typing import Any

from ._errors import InputError

_PLAIN = re.compile(r"[A-Za-z_./][A-Za-z0-9_./-]*( [A-Za-z0-9_./-]+)*\Z|-?[0-9]+(\.[0-9]+|/[0-9]+)?\Z")
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

    return f"{Decimal(repr(value)):f}"


def scalar(value: Any) -> str:
    """The text of a value that is no list and no mapping, as exact as it was given."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int):
        return str(value)
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


def flow(value: Any) -> str:
    """A value on one line."""
    if isinstance(value, dict):
        return "{" + ", ".join(f"{scalar(str(k))}: {flow(v)}" for k, v in value.items() if v is not None) + "}"
    if _is_list(value) and not (hasattr(value, "ndim") and value.ndim == 0):
        return "[" + ", ".join(flow(item) for item in value) + "]"
    return scalar(value)


def dump(keys: dict[str, Any]) -> str:
    """A mapping with a line for each key, and one for each item of a list of mappings."""
    lines = []
    for key, value in keys.items():
        if isinstance(value, (list, tuple)) and value and all(isinstance(item, dict) for item in value):
            lines.append(f"{key}:")
            lines.extend(f"  - {flow(item)}" for item in value)
        elif value is not None:
            lines.append(f"{key}: {flow(value)}")
    return "\n".join(lines) + "\n"


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
