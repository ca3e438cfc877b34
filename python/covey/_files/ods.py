"""Writes OpenDocument spreadsheets: a zip file with a few lines of XML. Source: OpenDocument 1.3, parts 2 and 3."""

from __future__ import annotations

import datetime
import re
import zipfile
from collections.abc import Iterable
from typing import Any
from xml.sax.saxutils import escape, quoteattr

_TYPE = "application/vnd.oasis.opendocument.spreadsheet"
_NAMES = "urn:oasis:names:tc:opendocument:xmlns"
_HEAD = (
    '<?xml version="1.0" encoding="UTF-8"?>\n'
    f'<office:document-content xmlns:office="{_NAMES}:office:1.0" xmlns:table="{_NAMES}:table:1.0" '
    f'xmlns:text="{_NAMES}:text:1.0" office:version="1.3"><office:body><office:spreadsheet>'
)
_TAIL = "</office:spreadsheet></office:body></office:document-content>"
_MANIFEST = (
    f'<?xml version="1.0" encoding="UTF-8"?>\n<manifest:manifest xmlns:manifest="{_NAMES}:manifest:1.0" '
    f'manifest:version="1.3"><manifest:file-entry manifest:full-path="/" manifest:media-type="{_TYPE}"/>'
    '<manifest:file-entry manifest:full-path="content.xml" manifest:media-type="text/xml"/></manifest:manifest>'
)
_NO_XML = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]")


def _paragraph(line: str) -> str:
    """Readers take several blanks for one, unless they are said."""
    text = escape(_NO_XML.sub("\ufffd", line))
    return "<text:p>" + re.sub("(?<= ) +|^ +", lambda m: f'<text:s text:c="{len(m[0])}"/>', text) + "</text:p>"


def _cell(value: Any) -> str:
    if value is None:
        return "<table:table-cell/>"
    if isinstance(value, bool):
        said = f'boolean" office:boolean-value="{str(value).lower()}'
    elif isinstance(value, (int, float)):
        said = f'float" office:value="{value!r}'
    elif isinstance(value, datetime.date):  # a datetime is one
        said = f'date" office:date-value="{value.isoformat()}'
    else:
        said = "string"
    paragraphs = "".join(map(_paragraph, str(value).split("\n")))
    return f'<table:table-cell office:value-type="{said}">{paragraphs}</table:table-cell>'


def write(path: str, sheets: dict[str, Iterable[Iterable[Any]]]) -> None:
    """Sheets by name, each as its rows."""
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as file:
        file.writestr("mimetype", _TYPE, zipfile.ZIP_STORED)
        with file.open("content.xml", "w", force_zip64=True) as out:
            out.write(_HEAD.encode())
            for name, rows in sheets.items():
                out.write(f"<table:table table:name={quoteattr(name)}>".encode())
                for row in rows:
                    cells = "".join(map(_cell, row))
                    out.write(f"<table:table-row>{cells}</table:table-row>".encode("utf-8", "replace"))
                out.write(b"</table:table>")
            out.write(_TAIL.encode())
        file.writestr("META-INF/manifest.xml", _MANIFEST)
