"""Spreadsheets, read by calamine. Runs in the child process."""

from __future__ import annotations

from typing import Any

from .._errors import InputError
from .formulas import without_result
from .kinds import load as load_library
from .labels import value_text
from .values import column_of

WORDS = ("xlsx", "xls", "ods")


def load(kind: str) -> Any:
    return load_library("python_calamine", "python-calamine")


def _sheet(book: Any, wanted: str | int) -> Any:
    names = book.sheet_names
    if not names:
        raise InputError("has no sheet")
    if isinstance(wanted, str):
        if wanted not in names:
            raise InputError(f'has no sheet "{wanted}"; it has {", ".join(names[:20])}')
        return book.get_sheet_by_name(wanted)
    if not 0 <= wanted < len(names):
        raise InputError(f"has {len(names)} sheets; sheet={wanted} counts from 0")
    return book.get_sheet_by_index(wanted)


def _names(cells: list[Any], row: int) -> list[str]:
    names = ["" if cell is None else value_text(cell).strip() for cell in cells]
    while names and not names[-1]:
        names.pop()
    for at, name in enumerate(names):
        if not name:
            raise InputError(f"column {at + 1} has no name: the first row must name every column", row=row, column=at + 1)
        if name in names[:at]:
            raise InputError(f'column "{name}": two columns have this name; rename one', row=row, column=name)
    if not names:
        raise InputError(
            f"row {row} is empty, but must name the columns: delete the rows above the names, or skip them (skip_rows)",
            row=row,
        )
    return names


def _check_formulas(path: str, sheet: str, skip_rows: int) -> None:
    """Their cells would be read as missing ones."""
    for row, column, name in without_result(path, sheet):
        if row > skip_rows:
            raise InputError(
                f'sheet "{sheet}", cell {name}: the formula has no result in the file: open it in a spreadsheet program, which '
                "calculates it, and save it there",
                row=row,
                column=column,
            )


def read(path: str, kind: str, *, sheet: str | int = 0, skip_rows: int = 0) -> Any:
    """The table of a sheet, by name or number; its first row behind skip_rows names the columns, and empty rows at the
    end are nothing."""
    import pyarrow

    with load(kind).CalamineWorkbook.from_path(path) as book:
        found = _sheet(book, sheet)
        rows = found.to_python(skip_empty_area=False)[skip_rows:]
    _check_formulas(path, found.name, skip_rows)
    if all(cell in ("", None) for row in rows for cell in row):
        raise InputError("the sheet is empty: its first row must name the columns")
    names = _names(rows[0], skip_rows + 1)
    rows = rows[1:]
    while rows and all(cell in ("", None) for cell in rows[-1]):
        rows.pop()
    for at, row in enumerate(rows):
        if any(cell not in ("", None) for cell in row[len(names) :]):
            raise InputError(
                f"row {skip_rows + at + 2} has a value beside the last column, which is {names[-1]}",
                row=skip_rows + at + 2,
            )
    columns = [[None if row[c] == "" else row[c] for row in rows] for c in range(len(names))]
    table = pyarrow.table([column_of(column) for column in columns], names=names)
    return table.replace_schema_metadata({"covey.source": kind})
