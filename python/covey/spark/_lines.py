"""The text of one file of a table, cut where classes begin."""

from __future__ import annotations

from typing import NamedTuple


class Lines(NamedTuple):
    """What the lines are (covey._core.lines_facts). Where they have no numbers, each is a class of its own.

    Attributes:
        text: all of them, with the header.
        header_end: bytes of the header.
        records: lines behind the header.
        classes: runs of lines with one number.
        first, last: their numbers; 0: a line begins with something else.
        first_end, last_start: where the first run ends, and the last begins.
    """

    text: bytes
    header_end: int
    records: int
    classes: int
    first: int
    last: int
    first_end: int
    last_start: int

    @property
    def header(self) -> bytes:
        return self.text[: self.header_end]

    @property
    def body(self) -> bytes:
        return self.text[self.header_end :]

    @property
    def first_class(self) -> bytes:
        return self.text[self.header_end : self.first_end]

    @property
    def last_class(self) -> bytes:
        return self.text[self.last_start :]

    def shifted(self, by: int) -> Lines:
        """With numbers that are larger by so much."""
        from covey import _core

        return lines_of(_core.lines_shifted(self.text, by), True) if by else self


def lines_of(text: bytes, is_numbered: bool) -> Lines:
    """is_numbered: the first column numbers classes."""
    from covey import _core

    return Lines(text, *_core.lines_facts(text, is_numbered))
