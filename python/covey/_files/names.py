"""Names of columns that a statistics program can have."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import NamedTuple


class _Rule(NamedTuple):
    """What a name may be: of these characters, so many bytes at most, no word of the program's own.

    Attributes:
        other: a character that is not allowed.
        start: a name begins like that.
        folds: whether A and a are one name.
    """

    other: re.Pattern[str]
    start: re.Pattern[str]
    most: int
    words: re.Pattern[str]
    folds: bool


_SPSS = re.compile("all|and|by|eq|ge|gt|le|lt|ne|not|or|to|with", re.IGNORECASE)
_STATA = re.compile("byte|double|float|if|in|int|long|str[0-9]+|strL|using|with")
_NONE = re.compile("(?!)")
_RULES = {
    "sav": _Rule(re.compile(r"[^\w.$#@]"), re.compile(r"[^\W\d_]|@"), 64, _SPSS, True),
    "dta": _Rule(re.compile(r"[^A-Za-z0-9_]"), re.compile(r"[A-Za-z]"), 32, _STATA, False),
    "xpt": _Rule(re.compile(r"[^A-Za-z0-9_]"), re.compile(r"[A-Za-z]"), 32, _NONE, True),
}


def _cut(name: str, most: int) -> str:
    """As much of it as these bytes hold, in whole characters."""
    return name.encode()[:most].decode(errors="ignore")


def _fits(name: str, rule: _Rule) -> bool:
    return (
        not rule.other.search(name)
        and rule.start.match(name) is not None
        and len(name.encode()) <= rule.most
        and not name.endswith(".")
        and not rule.words.fullmatch(name)
    )


def _made(name: str, rule: _Rule) -> str:
    made = rule.other.sub("_", name)
    if not rule.start.match(made):
        made = "v" + made
    made = _cut(made, rule.most).rstrip(".")
    return made if _fits(made, rule) else _cut(made, rule.most - 1) + "_"


def fitting(names: Iterable[str], word: str) -> list[str]:
    """Names that a file of this format can have, all different, for each of these: itself wherever it can stay."""
    names, rule = list(names), _RULES[word]

    def key(name: str) -> str:
        return name.lower() if rule.folds else name

    taken: set[str] = set()
    found: dict[int, str] = {}
    for at, name in enumerate(names):
        if _fits(name, rule) and key(name) not in taken:
            found[at] = name
            taken.add(key(name))
    for at, name in enumerate(names):
        if at in found:
            continue
        made, number = _made(name, rule), 1
        while key(made) in taken:
            number += 1
            made = f"{_cut(_made(name, rule), rule.most - len(str(number)) - 1)}_{number}"
        found[at] = made
        taken.add(key(made))
    return [found[at] for at in range(len(names))]
