"""The command line that makes the same release as the studio does."""

from __future__ import annotations

import json
import re
import shlex
from collections.abc import Mapping
from typing import Any

_ROLES = {"quasi-identifier": "quasi", "sensitive": "sensitive", "insensitive": "insensitive", "identifier": "identifier"}
_PLAIN = re.compile(r"[\w.+-]+( [\w.+-]+)*\Z")  # stands in a list with commas, and in YAML, as it is
DRAWN = {"anatomy", "perturbation", "slicing"}  # methods whose releases are drawn: another run publishes other groups, or other values
_FLAGS = {"delimiter", "missing-sensitive", "missing-quasi", "trim"}


def _text(value: Any) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)


def _plain(value: Any) -> bool:
    return _PLAIN.match(_text(value)) is not None


def _with_parameters(name: str, keys: Mapping[str, Any]) -> str:
    return ":".join([name, ",".join(f"{key}={_text(value)}" for key, value in keys.items())]) if keys else name


def flags(policy: Mapping[str, Any]) -> list[str] | None:
    """The policy as options of `covey anonymize`; None where it says more than these do."""
    if not set(policy) <= {"version", "input", "attributes", "others", "privacy", "method", "suppression", "presets", "groups"}:
        return None
    words: list[str] = []
    source = dict(policy.get("input") or {})
    source.pop("path", None)
    null = source.pop("null", None)
    if null not in (None, [""]):
        if not isinstance(null, list) or any("," in text or "\n" in text for text in null) or null == [""]:
            return None
        words += ["--null", ",".join(null)]
    for key, value in source.items():
        if key not in _FLAGS:
            return None
        words += [f"--{key}", _text(value)] if key != "trim" else [f"--trim={_text(value)}"]
    lists: dict[str, list[str]] = {}
    others: list[str] = []
    for attribute in policy.get("attributes", []):
        keys = dict(attribute)
        if "lines" in (keys.get("hierarchy") or {}):
            return None  # thousands of words, perhaps: a file says them
        name, role = keys.pop("name"), keys.pop("role")
        hierarchy = keys.pop("hierarchy", None)
        if keys or role not in _ROLES or not _plain(name):
            others += ["--attribute", json.dumps(dict(attribute), ensure_ascii=False)]
            continue
        lists.setdefault(_ROLES[role], []).append(name)
        if hierarchy is not None:
            is_file = isinstance(hierarchy, Mapping) and set(hierarchy) == {"file"}
            spec = hierarchy["file"] if is_file else json.dumps(hierarchy, ensure_ascii=False)
            others += ["--hierarchy", f"{name}={spec}"]
    for role in _ROLES.values():
        if role in lists:
            words += [f"--{role}", ",".join(lists[role])]
    words += others
    if policy.get("others"):
        words += ["--others", policy["others"]]
    for promise in policy.get("privacy", []):
        keys = dict(promise)
        model = keys.pop("model")
        if not all(_plain(value) or (isinstance(value, str) and re.fullmatch(r"[\d./-]+", value)) for value in keys.values()):
            return None
        words += ["--model", _with_parameters(model, keys)]
    if policy.get("presets"):
        words += ["--preset", ",".join(policy["presets"])]
    method = dict(policy.get("method") or {})
    name = method.pop("name", "auto")
    if not all(_plain(value) for value in method.values()):
        return None
    words += ["--method", _with_parameters(name, method)]
    suppression = dict(policy.get("suppression") or {})
    limit = suppression.pop("limit", 0)
    if suppression:
        return None
    if _text(limit) not in ("0", "0.0"):
        words += ["--suppression", _text(limit)]
    if policy.get("groups"):
        words += ["--groups", json.dumps(policy["groups"], ensure_ascii=False)]
    return words


def of_policy(data: str, policy: Mapping[str, Any], output: str) -> str | None:
    """The whole line, quoted for a shell; None where only a policy file says all of it."""
    words = flags(policy)
    if words is None or any("\0" in word for word in [data, *words]):
        return None
    name = data if not data.startswith("-") else f"./{data}"
    return shlex.join(["covey", "anonymize", name, *words, "-o", output])


def quote(text: str) -> str:
    """A word for the shell."""
    return shlex.quote(text if not text.startswith("-") else f"./{text}")
