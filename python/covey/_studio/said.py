"""What the library says, in the words and the language of the page."""

from __future__ import annotations

import re
from functools import cache
from typing import NamedTuple

import covey

from .._arguments import in_arguments
from .library_sentences import PATTERNS

_HOLE = re.compile(r"\{([A-Za-z])(?:\|([^{}|]*)\|([^{}|]*))?\}")  # {a}; or, as a is 1 or not, one text or the other: {a|row|rows}
_DECIMAL = re.compile(r"(-?\d+)\.(\d+)")
_PLACE = re.compile(r"(<policy>|the policy|[a-z]+(\[[^\]]*\])+): ")
_ABOUT = re.compile(r"(\d+/\d+) \(about (\d+\.\d+)\)")


class Piece(NamedTuple):
    """Some of what is said; is_known: it is in the language of the page, else in English."""

    text: str
    is_known: bool


@cache
def _compiled() -> list[tuple[re.Pattern[str], dict[str, str]]]:
    """Patterns with the words of each language for them."""
    found = []
    for english, german, *own in PATTERNS:
        for said in dict.fromkeys([english, in_arguments(english)]):
            found.append((re.compile(_expression(said) + r"\Z", re.DOTALL), {"en": own[0] if own else english, "de": german}))
    return found


def _expression(english: str) -> str:
    text, end = "", 0
    for hole in _HOLE.finditer(english):
        text += re.escape(english[end : hole.start()])
        text += f"(?P<{hole[1]}>.+?)" if hole[2] is None else f"(?:{re.escape(hole[2])}|{re.escape(hole[3])})"
        end = hole.end()
    return text + re.escape(english[end:])


def _in_german(cell: str) -> str:
    """A figure of the library as German writes it; anything else as it is."""
    about = _ABOUT.fullmatch(cell)
    if about is not None:
        return f"{about[1]} (etwa {_in_german(about[2])})"
    return _DECIMAL.sub(r"\1,\2", cell) if _DECIMAL.fullmatch(cell) else cell


def _sentence(text: str, language: str) -> Piece:
    for pattern, in_language in _compiled():
        found = pattern.match(text)
        if found is None:
            continue
        words = in_language[language]
        cells = {key: _cell(key, cell, language) for key, cell in found.groupdict().items() if f"{{{key}}}" in words}
        if all(cell.is_known for cell in cells.values()):
            return Piece(_HOLE.sub(lambda hole: cells[hole[1]].text if hole[2] is None else hole[2 if found[hole[1]] == "1" else 3], words), True)
    return Piece(text, language == "en")


def _cell(key: str, cell: str, language: str) -> Piece:
    """What stands for a hole: a sentence for a capital letter, else something of the table."""
    if key.isupper():
        return _sentence(cell, language)
    return Piece(_in_german(cell) if language == "de" else cell, True)


def pieces(text: str, language: str) -> list[Piece]:
    """The whole text if a catalogue has it, else sentence by sentence."""
    whole = _sentence(text, language)
    if whole.text != text or ". " not in text:
        return [whole]
    return [_sentence(sentence, language) for sentence in re.split(r"(?<=\.) (?=[A-Z])", text)]


def as_sentences(found: list[Piece]) -> list[Piece]:
    """Errors of the library begin in the middle of a line and end without a full stop."""
    (first, *_), last = found, found[-1]
    word = first.text.partition(" ")[0]
    if word.isalpha():
        found = [first._replace(text=first.text[:1].upper() + first.text[1:]), *found[1:]]
    if last.text[-1:].isalnum() or last.text[-1:] in ")\"":
        found = [*found[:-1], found[-1]._replace(text=found[-1].text + ".")]
    return found


def plain(what: object) -> tuple[str, tuple[str, int] | None]:
    """What is said without the place in a policy that nobody wrote, and the place in a file that it is about."""
    if isinstance(what, OSError) and what.strerror:
        return f"{what.filename}: {what.strerror}" if what.filename is not None else what.strerror, None
    text = str(what)
    if not isinstance(what, covey.Error):
        return text, None
    text = _PLACE.sub("", text.removeprefix(f"{what.parameter}: "), count=1) if not what.file else text
    if what.file is not None and what.row is not None and text.startswith(f"{what.file}:{what.row}"):
        place, _, rest = text.partition(": ")
        if place.startswith(f"{what.file}:{what.row}") and rest:
            return rest, (what.file, what.row)
    return text, None
