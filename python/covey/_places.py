"""Where things stand in a policy that was made of keywords, in the words of whoever made it."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from . import _yaml


class Said(NamedTuple):
    """How a column came into a policy: by which keyword, and what the lines of its hierarchy were ("leaf", "row")."""

    keyword: str
    lines: str | None


class Place(NamedTuple):
    """Where something stands in a policy of keywords.

    Attributes:
        words: quasi["zip"]["mask"].
        column: the column that it is about, or None.
        row: the row of a DataFrame, the first is 1, or None.
        leaves: those of a mapping, in its order.
    """

    words: str
    column: str | None = None
    row: int | None = None
    leaves: Sequence[object] = ()


class Places:
    """The YAML of a policy that was made of keywords, whose lines nobody has seen: what stands where in their words.

    Attributes:
        text, name: the YAML, and what the library calls it.
    """

    name = "<policy>"

    def __init__(self, keys: dict[str, Any], said: Mapping[str, Said]) -> None:
        writer = _yaml.Writer(keys)
        self.text = writer.text.encode()
        self._path_of = writer.path_of
        self._keys = keys
        self._said = said

    def _place(self, row: int, column: int) -> Place:
        """What stands at a place of the YAML."""
        path = self._path_of(row, column)
        if len(path) > 1 and path[0] == "attributes":
            return self._of_attribute(path)
        return Place(_subscripts(path))

    def _of_attribute(self, path: tuple[str | int, ...]) -> Place:
        attribute = self._keys["attributes"][path[1]]
        name = str(attribute.get("name")) if isinstance(attribute, Mapping) else None
        said = self._said.get(name or "")
        if name is None or said is None:
            return Place(_subscripts(path), name)
        words, rest = f'{said.keyword}["{name}"]', path[2:]
        if said.keyword == "attributes":
            words = f"attributes[{path[1]}]"
        elif rest and rest[0] in ("name", "role", "hierarchy"):
            rest = rest[1:]
        at = path[4] if len(path) > 4 and path[2:4] == ("hierarchy", "lines") else None
        if said.lines is None or not isinstance(at, int):
            return Place(words + _subscripts(rest, False), name)
        if said.lines == "row":
            return Place(f"{words}, row {at + 1}", name, at + 1)
        leaves = [line[0] for line in attribute["hierarchy"]["lines"]]
        return Place(f'{words}, leaf "{leaves[at]}"', name, leaves=leaves)

    def in_words(self, text: str) -> str:
        """A complaint or warning with words in place of lines and columns."""

        def words(found: re.Match[str]) -> str:
            place = self._place(int(found[1]), int(found[2]))
            return f"{place.words}: " if place.words else ""

        return re.sub(f"{self.name}:([0-9]+):([0-9]+): ", words, text).replace(f"{self.name}: ", "")

    def complaint(self, text: str, row: int, column: int) -> tuple[str, Place]:
        """What is wrong at a place of the YAML, in words, with its place."""
        place = self._place(row, column)

        def words(found: re.Match[str]) -> str:
            at = int(found[1]) - 1
            return f"row {at + 1}" if place.row else f'leaf "{place.leaves[at]}"' if at < len(place.leaves) else found[0]

        text = self.in_words(text)
        return re.sub(r"\bline ([0-9]+)", words, text) if place.row or place.leaves else text, place


def _subscripts(path: tuple[str | int, ...], first: bool = True) -> str:
    """("method", "cut") as method["cut"]."""
    head, rest = (str(path[0]), path[1:]) if first and path else ("", path)
    return head + "".join(f"[{key}]" if isinstance(key, int) else f'["{key}"]' for key in rest)
