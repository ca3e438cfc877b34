"""The catalogues in one language: texts of the page, sentences of the library, numbers."""

from __future__ import annotations

import re
from typing import Any

import covey

from . import said
from .texts import TEXTS

LANGUAGES = {"en": "English", "de": "Deutsch"}
_AT = {"en": 0, "de": 1}
_COUNTED = re.compile(r"\{(\w+)\|([^{}|]*)\|([^{}|]*)\}")  # {rows|row|rows}: one text or the other, as there is 1 or not


class Refused(covey.InputError):
    """What the page itself refuses, by its text in the catalogue."""

    def __init__(self, key: str, **facts: Any) -> None:
        super().__init__(Words("en")(key, **facts))
        self.key = key
        self.facts = facts


class Words:
    """The catalogue in one language."""

    def __init__(self, language: str) -> None:
        self.language = language if language in LANGUAGES else "en"

    def __call__(self, key: str, **values: Any) -> str:
        text = _COUNTED.sub(lambda found: found[2 if values.get(found[1]) == 1 else 3], TEXTS[key][_AT[self.language]])
        return text.format(**{k: self.number(v) if isinstance(v, (int, float)) else v for k, v in values.items()}) if values else text

    def has(self, key: str) -> bool:
        return key in TEXTS

    def or_else(self, key: str, text: str) -> str:
        """The catalogue's text, or the library's own where the catalogue has none."""
        return TEXTS[key][_AT[self.language]] if key in TEXTS else text

    def said(self, what: object) -> list[said.Piece]:
        """What the page or the library says, in this language where a catalogue has it."""
        if isinstance(what, Refused):
            return [said.Piece(self(what.key, **what.facts), True)]
        text, place = said.plain(what)
        pieces = said.pieces(text, self.language)
        if isinstance(what, Exception):
            pieces = said.as_sentences(pieces)
        before = f"{self('error.line', file=place[0], row=str(place[1]))}: " if place is not None else ""
        return [said.Piece(before + pieces[0].text, pieces[0].is_known), *pieces[1:]]

    def exact(self, value: object) -> str:
        """A figure as the library gives it (an integer, a decimal, a fraction) as the language writes it, with enough digits."""
        text = str(value)
        if re.fullmatch(r"-?\d+", text):
            return self.number(int(text))
        if re.fullmatch(r"-?\d+(\.\d+|/\d+)", text):
            top, _, bottom = text.partition("/")
            return self.number(float(top) / float(bottom or 1))
        return text

    def number(self, value: float | int | None, digits: int = 4) -> str:
        """A number as the language writes it."""
        if value is None:
            return "–"
        text = f"{value:,}" if isinstance(value, int) else f"{value:,.{digits}g}" if abs(value) < 10**digits else f"{value:,.0f}"
        return text.translate(str.maketrans(",.", ".,")) if self.language == "de" else text

    def percent(self, share: float | None, *, in_column: bool = False) -> str:
        """in_column: with as many digits as the shares below it."""
        if share is None:
            return "–"
        text = f"{share * 100:.1f}" if abs(share) >= 0.1 else f"{share * 100:.3g}" if abs(share) >= 1e-6 or share == 0 else f"{share * 100:.0e}"
        if not in_column:
            text = text.removesuffix(".0")
        if self.language == "de":
            return text.replace(".", ",") + "\u202f%"
        return text + "%"


def language_of(accepted: str) -> str:
    """The first language of an Accept-Language header that there are texts in."""
    for part in accepted.lower().split(","):
        word = part.split(";")[0].strip().split("-")[0]
        if word in LANGUAGES:
            return word
    return "en"
