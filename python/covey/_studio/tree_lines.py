"""Hierarchies as lines (a value, then its ancestors up to the root), and what can be changed in them.

A node is its label on a level; level 0 are the values, the last level is the root.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from .words import Refused

Lines = list[list[str]]
N_CHILDREN = 40
N_MORE = 200


def _tail_of(lines: Lines, level: int, label: str) -> list[str]:
    """What stands from a node upwards."""
    for line in lines:
        if line[level] == label:
            return line[level:]
    raise Refused("tree.none", label=label, level=str(level))


def nodes(lines: Lines, level: int) -> list[str]:
    return list(dict.fromkeys(line[level] for line in lines))


def rename(lines: Lines, level: int, label: str, new: str) -> Lines:
    """Gives a group another name."""
    if not new:
        raise Refused("tree.name")
    if level == 0:
        raise Refused("tree.value")
    if new != label and new in nodes(lines, level):
        raise Refused("tree.twice", label=new)
    return [[new if at == level and cell == label else cell for at, cell in enumerate(line)] for line in lines]


def move(lines: Lines, level: int, label: str, group: str) -> Lines:
    """Puts a node below another group of the level above; a new one where there is none of that name."""
    if level + 1 >= len(lines[0]) - 1 and group != lines[0][-1]:
        raise Refused("tree.root")
    if not group:
        raise Refused("tree.name")
    if group in nodes(lines, level + 1):
        tail = _tail_of(lines, level + 1, group)
        return [line[: level + 1] + tail if line[level] == label else line for line in lines]
    return [[*line[: level + 1], group, *line[level + 2 :]] if line[level] == label else line for line in lines]


def put(lines: Lines, level: int, label: str, above: int, group: str) -> Lines:
    """Puts a node below a group of the level above it, and nothing else: further up, what is between would be lost."""
    if above != level + 1:
        raise Refused("tree.above", group=group, label=label)
    return move(lines, level, label, group)


def merge(lines: Lines, level: int, label: str, other: str) -> Lines:
    """Two groups become one, the other."""
    if level == 0:
        raise Refused("tree.values")
    tail = _tail_of(lines, level, other)
    return [line[:level] + tail if line[level] == label else line for line in lines]


def add_level(lines: Lines, level: int) -> Lines:
    """Every node of a level gets a group of its own above it."""
    return [[*line[: level + 1], *line[level:]] for line in lines]


def remove_level(lines: Lines, level: int) -> Lines:
    """The nodes of the level below go to the level above."""
    if not 0 < level < len(lines[0]) - 1:
        raise Refused("tree.ends")
    return [[*line[:level], *line[level + 1 :]] for line in lines]


def tree(lines: Lines, counts: Mapping[str, int], number: Any, more: Mapping[str, int]) -> dict[str, Any]:
    """The lines as nested nodes from the root, with numbers of rows; a node that is alone on several levels is one. more: how many
    children are shown beyond the first ones, by node."""

    last = len(lines[0]) - 1

    def below(level: int, label: str, own: Lines) -> dict[str, Any]:
        n = sum(counts.get(line[0], 0) for line in own)
        node = {"id": f"{level}:{label}", "label": label or "–", "count": number(n)}
        level -= 1
        while level > 0 and all(line[level] == label for line in own):
            level -= 1
        if level < 0 or (level == 0 and len(own) == 1 and own[0][0] == label):
            return node
        groups: dict[str, Lines] = {}
        for line in own:
            groups.setdefault(line[level], []).append(line)
        most = N_CHILDREN + more.get(node["id"], 0)
        shown = list(groups.items())[:most]
        node["open"] = level >= last - 1 or len(lines) <= N_CHILDREN
        node["children"] = [below(level, name, part) for name, part in shown]
        if len(groups) > most:
            node["more"] = f"+ {number(len(groups) - most)}"
        return node

    return below(last, lines[0][last], lines)
