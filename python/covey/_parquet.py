"""Releases whose tables are Parquet files: every cell is the text that the CSV file would have (docs/spark.md)."""

from __future__ import annotations

import csv
import hashlib
import io
import json
import os
import sys
from typing import Any

from . import _folder
from ._errors import InputError, SystemError_

ENDING = ".parquet"


def table_of(name: str) -> str:
    """What a file of a table is called where tables are CSV files."""
    return name[: -len(ENDING)] + ".csv" if name.endswith(ENDING) else name


def header_of(content: bytes) -> list[str]:
    """The names of a CSV text's columns."""
    return next(csv.reader(io.StringIO(content.decode("utf-8", "replace"), newline="")))


def from_csv(content: bytes, at: list[int] | None = None) -> Any:
    """The cells of a CSV text as a pyarrow.Table of texts: all columns, or those at these places."""
    import pyarrow
    from pyarrow import csv as arrow_csv

    header = header_of(content)
    places = range(len(header)) if at is None else at
    numbers = [str(i) for i in range(len(header))]  # names may be there twice
    table = arrow_csv.read_csv(
        io.BytesIO(content),
        read_options=arrow_csv.ReadOptions(column_names=numbers, skip_rows_after_names=1),
        parse_options=arrow_csv.ParseOptions(newlines_in_values=True),
        convert_options=arrow_csv.ConvertOptions(
            column_types={number: pyarrow.string() for number in numbers},
            strings_can_be_null=False,
            include_columns=[numbers[i] for i in places],
        ),
    )
    return table.rename_columns([header[i] for i in places])


def to_csv(content: bytes) -> bytes:
    """The CSV text of a Parquet file's cells. ValueError for a file that is none, or holds other cells than texts."""
    import pyarrow
    from pyarrow import parquet

    try:
        table = parquet.read_table(io.BytesIO(content))
    except (pyarrow.ArrowException, OSError) as error:
        raise ValueError(f"is no Parquet file: {error}") from error
    texts = (pyarrow.string(), pyarrow.large_string())
    for field, column in zip(table.schema, table.columns):
        if field.type not in texts or column.null_count:
            raise ValueError(f'column "{field.name}" holds other cells than texts')
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(table.column_names)
    for batch in table.to_batches(max_chunksize=1 << 16):
        writer.writerows(zip(*(column.to_pylist() for column in batch.columns)))
    return out.getvalue().encode()


def is_release(folder: str) -> bool:
    """Is this the folder of a release that has such tables?"""
    try:
        with open(os.path.join(folder, "manifest.json"), encoding="utf-8") as file:
            listed = json.load(file)["files"]
        return any(str(entry["name"]).endswith(ENDING) for entry in listed)
    except (OSError, ValueError, KeyError, TypeError):
        return False


def _convert(folder: str, target: str, entry: dict[str, Any]) -> dict[str, Any]:
    """Writes a file as CSV. What the manifest says of it stays as it is where it is not true of the file, so that whoever
    verifies the copy finds that, too."""
    name = _folder.plain_name(entry["name"])
    with open(os.path.join(folder, name), "rb") as file:
        content = file.read()
    is_stated = hashlib.sha256(content).hexdigest() == entry.get("sha256") and len(content) == entry.get("bytes")
    own = table_of(name)
    if own != name:
        try:
            content = to_csv(content)
        except ValueError as error:
            raise InputError(f"{os.path.join(folder, name)}: {error}", file=os.path.join(folder, name)) from error
    path = os.path.join(target, own)
    os.makedirs(os.path.dirname(path), mode=0o700, exist_ok=True)
    with open(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as out:
        out.write(content)
    if not is_stated:
        return {**entry, "name": own}
    return {**entry, "name": own, "bytes": len(content), "sha256": hashlib.sha256(content).hexdigest()}


def as_csv(folder: str) -> str:
    """A copy of the release with CSV tables in a new folder, in memory where there is room; the caller's to remove, with
    the folder that it is in.

    Raises InputError for what is no such release, and where pyarrow is missing.
    """
    from ._files import kinds

    kinds.load("pyarrow.parquet")
    size = sum(os.path.getsize(os.path.join(folder, name)) for name in os.listdir(folder))
    try:
        place = _folder.make(_folder.places(8 * size)[0])
    except OSError as error:
        raise SystemError_(f"{folder}: {error.strerror}", file=folder) from error
    target = os.path.join(place, os.path.basename(os.path.abspath(folder)))
    try:
        os.mkdir(target, 0o700)
        with open(os.path.join(folder, "manifest.json"), encoding="utf-8") as file:
            manifest = json.load(file)
        manifest["files"] = [_convert(folder, target, entry) for entry in manifest["files"]]
        listed = {str(entry["name"]) for entry in manifest["files"]}
        for name in sorted(os.listdir(folder)):  # what is not listed is there in the copy, too, which is not faithful else
            own = os.path.join(target, name)
            if name not in ("manifest.json", "hierarchies") and table_of(name) not in listed and not os.path.exists(own):
                open(own, "xb").close()
        with open(os.path.join(target, "manifest.json"), "x", encoding="utf-8") as out:
            json.dump(manifest, out)
    except BaseException as error:
        _folder.remove(place)
        if isinstance(error, (ValueError, KeyError, TypeError)) and not isinstance(error, InputError):
            raise InputError(f"{folder}: is no release: manifest.json is not one ({error})", file=folder) from error
        if isinstance(error, OSError) and not isinstance(error, SystemError_):
            where = str(error.filename or folder)
            raise InputError(f"{where}: {error.strerror}", file=where) from error
        raise
    return target


READERS = frozenset("attack export measure query report verify".split())  # commands whose folders are releases to read


def main(words: list[str]) -> int | None:
    """The command on copies of the releases that it reads, which are gone afterwards; None: there are none."""
    import subprocess

    from ._errors import Error

    read = [at for at, word in enumerate(words) if at > 0 and words[at - 1] not in ("-o", "--output") and is_release(word)]
    if words[0] not in READERS or not read:
        return None
    own = list(words)
    copies: list[str] = []
    try:
        for at in read:
            own[at] = as_csv(words[at])
            copies.append(own[at])
        return subprocess.run([sys.executable, "-m", "covey", *own]).returncode
    except Error as error:
        print(f"covey: {error}", file=sys.stderr)
        return error.code
    finally:
        for copy in copies:
            _folder.remove(os.path.dirname(copy))
