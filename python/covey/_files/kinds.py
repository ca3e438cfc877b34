"""Which formats there are, and which of them a file has: its first bytes decide, as for whoever opens it."""

from __future__ import annotations

import os
import stat
from collections.abc import Mapping
from typing import Any, NamedTuple

from .._errors import InputError

HINT = 'pip install "covey[files]"'


class Kind(NamedTuple):
    """A format: its word, what people call it, its endings, and whether a child process parses it."""

    word: str
    title: str
    endings: tuple[str, ...]
    is_foreign: bool
    writes: bool


KINDS = (
    Kind("csv", "CSV file", (".csv", ".csv.gz", ".csv.zst", ".txt", ".tsv"), False, True),
    Kind("parquet", "Parquet file", (".parquet", ".pq"), False, True),
    Kind("arrow", "Arrow or Feather file", (".arrow", ".feather", ".ipc"), False, True),
    Kind("sav", "SPSS file", (".sav", ".zsav"), True, True),
    Kind("dta", "Stata file", (".dta",), True, True),
    Kind("sas7bdat", "SAS data set", (".sas7bdat",), True, False),
    Kind("xpt", "SAS transport file", (".xpt", ".xport"), True, True),
    Kind("xlsx", "Excel file", (".xlsx", ".xlsm", ".xlsb"), True, True),
    Kind("xls", "Excel file of 2003 or before", (".xls",), True, False),
    Kind("ods", "OpenDocument spreadsheet", (".ods",), True, True),
)
BY_WORD: Mapping[str, Kind] = {kind.word: kind for kind in KINDS}

_SAS = bytes(12) + bytes.fromhex("c2ea8160b31411cfbd92080009c7318c181f1011")
_ODS = b"mimetypeapplication/vnd.oasis.opendocument.spreadsheet"
_FIRST_BYTES = (
    (b"$FL2", "sav"),
    (b"$FL3", "sav"),
    (b"<stata_dta>", "dta"),
    (_SAS, "sas7bdat"),
    (b"HEADER RECORD*******LIB", "xpt"),
    (b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", "xls"),
    (b"PK\x03\x04", "xlsx"),
    (b"PAR1", "parquet"),
    (b"ARROW1", "arrow"),
    (b"FEA1", "arrow"),
)


def _is_old_stata(head: bytes) -> bool:
    """Releases 104 to 115 begin with number, byte order, and 1."""
    return len(head) > 3 and 104 <= head[0] <= 115 and head[1] in (1, 2) and head[2] == 1 and head[3] == 0


def of_bytes(head: bytes) -> Kind | None:
    """The format of a file that begins so; None: none of those that say so, thus text."""
    if head.startswith(b"PK\x03\x04") and head[30:].startswith(_ODS):
        return BY_WORD["ods"]
    for start, word in _FIRST_BYTES:
        if head.startswith(start):
            return BY_WORD[word]
    return BY_WORD["dta"] if _is_old_stata(head) else None


def of_name(name: str) -> Kind | None:
    """The format that a name's ending stands for; None: unknown."""
    for kind in KINDS:
        if name.lower().endswith(kind.endings):
            return kind
    return None


def of_file(name: str) -> Kind:
    """The format of a file. InputError for one that is not there, empty, or not what its name says."""
    try:
        if not stat.S_ISREG(os.stat(name).st_mode):
            raise InputError(f"{name}: is no regular file", file=name)
        with open(name, "rb") as file:
            head = file.read(128)
    except OSError as error:
        raise InputError(f"{name}: {error.strerror}", file=name) from error
    if not head:
        raise InputError(f"{name}: the file is empty", file=name)
    found, named = of_bytes(head), of_name(name)
    if found is None and named is not None and named.word != "csv":
        raise InputError(
            f"{name}: is no {named.title}, whatever its name says; if it is a text with separators, call it .csv",
            file=name,
        )
    return found or BY_WORD["csv"]


def load(name: str, package: str = "") -> Any:
    """A library that files are read or written with; InputError with what to do if it is not installed."""
    import importlib

    try:
        return importlib.import_module(name)
    except ImportError as error:
        raise InputError(f"this needs {package or name} ({error}): {HINT}") from None
