"""Formulas without a result: a spreadsheet that a program wrote, and that no spreadsheet program has calculated since,
has formulas whose cells hold nothing, and a reader takes them for empty. Runs in the child process.

Source: Office Open XML (ECMA-376, part 1, 18.3.1.4 and 18.3.1.40), OpenDocument 1.3, part 3 (19.642).
"""

from __future__ import annotations

import posixpath
import re
import zipfile
from collections.abc import Iterator
from typing import IO, Any
from xml.etree import ElementTree

_FORMULA = re.compile(rb"<(?:\w+:)?f[\s/>]|\bformula=")
_REFERENCE = re.compile("([A-Z]+)([0-9]+)")
_CHUNK = 1 << 20


def _local(tag: str) -> str:
    return tag.rpartition("}")[2]


def _attribute(element: Any, name: str) -> str | None:
    """Whatever its namespace: the strict kind of workbook has others."""
    return next((value for key, value in element.attrib.items() if _local(key) == name), None)


def _has_formulas(file: IO[bytes]) -> bool:
    tail = b""
    while chunk := file.read(_CHUNK):
        if _FORMULA.search(tail + chunk):
            return True
        tail = chunk[-64:]
    return False


def _ends(file: IO[bytes], names: set[str], rows: str) -> Iterator[tuple[str, Any]]:
    """Elements of these names when they end; what a row held is forgotten then."""
    for _, element in ElementTree.iterparse(file, events=("end",)):
        name = _local(element.tag)
        if name in names:
            yield name, element
        if name == rows:
            element.clear()


def _sheet_part(archive: zipfile.ZipFile, sheet: str) -> str | None:
    """The file of a sheet in a workbook, by the sheet's name; None: it is elsewhere than programs put it."""
    if not {"xl/workbook.xml", "xl/_rels/workbook.xml.rels"} <= set(archive.namelist()):
        return None
    with archive.open("xl/workbook.xml") as file:
        wanted = [_attribute(e, "id") for name, e in _ends(file, {"sheet"}, "") if _attribute(e, "name") == sheet]
    with archive.open("xl/_rels/workbook.xml.rels") as file:
        target = {_attribute(e, "Id"): _attribute(e, "Target") for _, e in _ends(file, {"Relationship"}, "")}
    part = target.get(wanted[0]) if wanted else None
    return posixpath.normpath(posixpath.join("/xl", part)).lstrip("/") if part else None


def _number_of(letters: str) -> int:
    number = 0
    for letter in letters:
        number = 26 * number + ord(letter) - ord("A") + 1
    return number


def _letters_of(number: int) -> str:
    letters = ""
    while number > 0:
        number, rest = divmod(number - 1, 26)
        letters = chr(ord("A") + rest) + letters
    return letters


def _in_workbook(file: IO[bytes]) -> Iterator[tuple[int, int]]:
    row, column = 1, 0
    for name, element in _ends(file, {"c", "row"}, "row"):
        if name == "row":
            row, column = int(_attribute(element, "r") or row) + 1, 0
            continue
        at = _REFERENCE.fullmatch(_attribute(element, "r") or "")
        column = _number_of(at[1]) if at else column + 1
        held = {_local(child.tag): child for child in element}
        # An empty text is a result: t="str", and nothing in <v>.
        if "f" in held and "is" not in held and _attribute(element, "t") != "str" and not ("v" in held and held["v"].text):
            yield int(at[2]) if at else row, column


def _in_document(file: IO[bytes], sheet: str) -> Iterator[tuple[int, int]]:
    row, is_here = 1, False
    for event, element in ElementTree.iterparse(file, events=("start", "end")):
        name = _local(element.tag)
        if name == "table":
            row, is_here = 1, event == "start" and _attribute(element, "name") == sheet
        if event == "start" or name != "table-row":
            continue
        column = 1
        for cell in element if is_here else ():
            if _attribute(cell, "formula") is not None and _attribute(cell, "value-type") is None:
                yield row, column
            column += int(_attribute(cell, "number-columns-repeated") or 1)
        row += int(_attribute(element, "number-rows-repeated") or 1)
        element.clear()


def without_result(path: str, sheet: str) -> Iterator[tuple[int, int, str]]:
    """Row and column, counted from 1, and name ("B2") of the cells of a sheet whose formula has no result."""
    if not zipfile.is_zipfile(path):  # .xls, which has no formula without one
        return
    with zipfile.ZipFile(path) as archive:
        is_document = "content.xml" in archive.namelist()
        part = "content.xml" if is_document else _sheet_part(archive, sheet)
        if part not in archive.namelist():
            return
        with archive.open(part) as file:
            if not _has_formulas(file):
                return
        with archive.open(part) as file:
            for row, column in _in_document(file, sheet) if is_document else _in_workbook(file):
                yield row, column, f"{_letters_of(column)}{row}"
