"""Release.write: a released table as a file of any format that is written."""

from __future__ import annotations

import datetime
import json
import os
from collections.abc import Callable
from typing import Any

from .. import _folder
from .._errors import InputError, SystemError_
from . import coding, kinds, names, ods
from .labels import Codebook, metadata_of


def _frame(columns: list[coding.Column]) -> Any:
    pandas = kinds.load("pandas")
    return pandas.DataFrame(
        {column.name: pandas.Series(column.values, dtype=_dtype(column.values)) for column in columns}
    )


def _dtype(values: list[Any]) -> Any:
    """Numbers with gaps are doubles, which all three programs have; None: what pandas makes of them."""
    kinds_of_values = {type(value) for value in values if value is not None}
    if kinds_of_values <= {int, float}:
        return "int64" if kinds_of_values == {int} and None not in values else "float64"
    return "object"


def _labels(columns: list[coding.Column]) -> dict[str, str]:
    return {column.name: column.label for column in columns if column.label}


def _formats(columns: list[coding.Column], codebook: Codebook, word: str) -> dict[str, str]:
    """Formats are words of one program."""
    if codebook.source != word:
        return {}
    return {column.name: column.format for column in columns if column.format}


_LONGEST = 32_767  # SPSS and SAS: bytes; Excel: characters. Their libraries cut off what is longer and say nothing.


def _check_texts(columns: list[coding.Column], name: str, encoding: str, unit: int) -> None:
    for column in columns:
        for row, value in enumerate(column.values):
            if isinstance(value, str) and len(value) * 4 > _LONGEST and len(value.encode(encoding, "replace")) // unit > _LONGEST:
                raise InputError(
                    f'{name}: column "{column.name}", row {row + 1:,}: the text has {len(value):,} characters, and such a file holds'
                    f" {_LONGEST:,} at most; write Parquet or CSV",
                    file=name,
                    column=column.name,
                )


def _listed(what: list[str]) -> str:
    return ", ".join(what[:5]) + (f" and {len(what) - 5} more" if len(what) > 5 else "")


def _long(columns: list[coding.Column]) -> list[str]:
    there = [f'"{column.name}"' for column in columns if column.is_long]
    return [f"numbers of more than 15 digits, which it would round, are texts: {_listed(there)}"] if there else []


def _early(columns: list[coding.Column]) -> list[str]:
    """Makes dates texts in columns that have some before 1900, where Excel's begin."""
    early = []
    for column in columns:
        if any(isinstance(value, datetime.date) and value.year < 1900 for value in column.values):
            early.append(f'"{column.name}"')
            column.values = [None if value is None else value.isoformat() for value in column.values]
    return [f"dates of columns that have some before 1900, which it cannot hold, are texts: {_listed(early)}"] if early else []


def _named(columns: list[coding.Column], word: str) -> list[str]:
    """Gives columns names that the format can have, and their own as labels where they have none; says which."""
    changed = []
    for column, fitting in zip(columns, names.fitting([column.name for column in columns], word)):
        if column.name != fitting:
            changed.append(f'"{column.name}" is {fitting}')
            column.label = column.label or column.name
            column.name = fitting
    if not changed:
        return []
    return [f"names of columns that {kinds.BY_WORD[word].title}s cannot have are changed: {_listed(changed)}"]


def _write_sav(path: str, table: Any, codebook: Codebook, name: str) -> list[str]:
    columns = coding.columns_of(table, codebook, True)
    _check_texts(columns, name, "utf-8", 1)
    said = _long(columns) + _named(columns, "sav")
    kinds.load("pyreadstat").write_sav(
        _frame(columns),
        path,
        file_label=codebook.file_label,
        column_labels=_labels(columns),
        compress=name.lower().endswith(".zsav"),
        variable_value_labels={column.name: column.labels for column in columns if column.labels},
        missing_ranges={
            column.name: column.missing for column in columns if column.missing and codebook.source == "sav"
        },
        variable_measure={column.name: column.measure for column in columns if column.measure},
        variable_format=_formats(columns, codebook, "sav"),
    )
    return said


def _write_dta(path: str, table: Any, codebook: Codebook, name: str) -> list[str]:
    columns = coding.columns_of(table, codebook, True)
    said = _long(columns) + _named(columns, "dta")
    kinds.load("pyreadstat").write_dta(
        _frame(columns),
        path,
        file_label=codebook.file_label[:80],
        column_labels=_labels(columns),
        variable_value_labels={
            column.name: column.labels for column in columns if column.labels and not column.is_text
        },
        variable_format=_formats(columns, codebook, "dta"),
    )
    return said


def _write_xpt(path: str, table: Any, codebook: Codebook, name: str) -> list[str]:
    columns = coding.columns_of(table, codebook, False)
    _check_texts(columns, name, "utf-8", 1)
    said = _long(columns) + _named(columns, "xpt")
    kinds.load("pyreadstat").write_xport(
        _frame(columns),
        path,
        file_label=codebook.file_label[:40],
        column_labels=_labels(columns),
        file_format_version=8,
        variable_format=_formats(columns, codebook, "xpt"),
    )
    return said


def _codebook_rows(columns: list[coding.Column], codebook: Codebook) -> list[list[str]]:
    rows = [["column", "label", "value", "value label"]]
    for column in columns:
        rows.append([column.name, column.label, "", ""])
        there = {str(value) for value in column.values}
        labels = codebook.values(column.name).items()
        rows += [[column.name, "", value, label] for value, label in labels if value in there]
    return rows


def _write_xlsx(path: str, table: Any, codebook: Codebook, name: str) -> list[str]:
    columns = coding.columns_of(table, codebook, False)
    if table.num_rows >= 1 << 20 or len(columns) > 1 << 14:
        raise InputError(f"{name}: a sheet holds 1,048,575 rows and 16,384 columns; write Parquet or CSV", file=name)
    _check_texts(columns, name, "utf-16-le", 2)
    said = _long(columns) + _early(columns)
    book = kinds.load("xlsxwriter", "XlsxWriter").Workbook(
        path,
        {
            "default_date_format": "yyyy-mm-dd",
            "strings_to_formulas": False,
            "strings_to_urls": False,
            "strings_to_numbers": False,
        },
    )
    sheet = book.add_worksheet("table")
    for at, column in enumerate(columns):
        sheet.write_string(0, at, column.name)
        for row, value in enumerate(column.values):
            if value is not None:
                sheet.write(row + 1, at, value)
    if codebook:
        sheet = book.add_worksheet("labels")
        for row, cells in enumerate(_codebook_rows(columns, codebook)):
            for at, cell in enumerate(cells):
                sheet.write_string(row, at, cell)
    book.close()
    return said


def _write_ods(path: str, table: Any, codebook: Codebook, name: str) -> list[str]:
    columns = coding.columns_of(table, codebook, False)
    sheets: dict[str, Any] = {"table": [[column.name for column in columns], *zip(*(c.values for c in columns))]}
    if codebook:
        sheets["labels"] = _codebook_rows(columns, codebook)
    ods.write(path, sheets)
    return _long(columns)


def _write_parquet(path: str, table: Any, codebook: Codebook, name: str) -> list[str]:
    kinds.load("pyarrow.parquet").write_table(coding.with_metadata(table, codebook, metadata_of), path)
    return []


def _write_arrow(path: str, table: Any, codebook: Codebook, name: str) -> list[str]:
    kinds.load("pyarrow.feather").write_feather(
        coding.with_metadata(table, codebook, metadata_of), path, compression="uncompressed"
    )
    return []


def _write_csv(path: str, table: Any, codebook: Codebook, name: str) -> list[str]:
    pyarrow, writer = kinds.load("pyarrow"), kinds.load("pyarrow.csv")
    compression = {".gz": "gzip", ".zst": "zstd"}.get(os.path.splitext(name.lower())[1])
    with pyarrow.output_stream(path, compression=compression) as out:
        writer.write_csv(table, out)
    return []


_WRITERS: dict[str, Callable[[str, Any, Codebook, str], list[str]]] = {  # each says what is not as it was
    "csv": _write_csv,
    "parquet": _write_parquet,
    "arrow": _write_arrow,
    "sav": _write_sav,
    "dta": _write_dta,
    "xpt": _write_xpt,
    "xlsx": _write_xlsx,
    "ods": _write_ods,
}


def write(table: Any, codebook: Codebook, name: str, force: bool) -> str:
    """Writes a released table beside the target and renames it at the end; the ending says the format. What is not as
    it was, "" for nothing."""
    kind = kinds.of_name(name)
    if kind is None:
        endings = ", ".join(kind.endings[0] for kind in kinds.KINDS if kind.writes)
        raise InputError(f"{name}: its ending says no format; written are {endings}", file=name)
    if not kind.writes:
        raise InputError(
            f"{name}: {kind.title}s are read, not written; write {'.xpt' if kind.word == 'sas7bdat' else '.xlsx'}",
            file=name,
        )
    target = os.path.abspath(name)
    _folder.spare_release(name)
    if os.path.lexists(target) and not (force and os.path.isfile(target)):
        raise InputError(f"{name}: exists already" + ("" if force else "; force=True, or --force, replaces a file"), file=name)
    try:
        beside = _folder.make(os.path.dirname(target))
    except SystemError_ as error:
        raise InputError(str(error), file=name) from error
    try:
        part = os.path.join(beside, "part" + os.path.splitext(kind.endings[0])[1])
        said = _WRITERS[kind.word](part, table, codebook, name)
        os.chmod(part, 0o600)
        os.replace(part, target)
        return f"{name}: {'; '.join(said)}" if said else ""
    except OSError as error:
        raise SystemError_(f"{name}: {error.strerror or error}", file=name) from error
    except (InputError, MemoryError, KeyboardInterrupt):
        raise
    except Exception as error:  # what the format cannot hold, its library says
        raise InputError(f"{name}: the table cannot be written as {kind.title}: {error}", file=name) from error
    finally:
        _folder.remove(beside)


class _Stream:
    """An Arrow stream for whatever reads one."""

    def __init__(self, capsule: object) -> None:
        self._capsule = capsule

    def __arrow_c_stream__(self, requested_schema: object | None = None) -> object:
        return self._capsule


def export(capsule: object, release: str, name: str, force: bool) -> str:
    """For the library, when a table of a release is to go to a file that is not its own: with the manifest's labels.
    What to warn of."""
    with open(os.path.join(release, "manifest.json"), encoding="utf-8") as file:
        codebook = Codebook.of_manifest(json.load(file))
    return write(kinds.load("pyarrow").table(_Stream(capsule)), codebook, name, force)
