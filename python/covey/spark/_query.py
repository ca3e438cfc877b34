"""Questions to a release on a cluster: executors count what each file says, the driver adds up and answers.

A file alone does not know which values, labels and numbers the others have, and these decide what a condition tells
apart, which groups there are and where a sum's digits end. So every file is read with a few rows behind it that have
each cell of the columns that the query names, and are not counted (covey_query_open_piece).
"""

from __future__ import annotations

import csv
import io
import json
import os
from collections import Counter
from collections.abc import Callable, Iterator
from typing import Any

from .. import _core
from .._errors import InputError, raise_error
from .._release import Answer
from . import _tasks
from ._failures import spark_errors
from ._lines import Lines, lines_of
from ._scratch import scratch
from ._verify import WORDS, _Verifying, rows_table, write_piece

_FOUND = (("range", "int"), ("facts", "binary"))


@spark_errors()
def query(spark: Any, path: str | os.PathLike[str], sql: str) -> Answer:
    """The answer of `covey query`: the same bounds and groups, and the same estimates but for MIN and MAX, which have none.

    Files are counted in executors; what comes to the driver are the different cells of the columns that the query names,
    and for each file and group how many rows are selected, by the values that are added up.

    Raises InputError for what `covey query` refuses, and for what does not follow from files: sliced and transformed
    releases, COUNT(DISTINCT entity), more than 10,000 combinations of keys, sums of sensitive numbers some of which are
    missing in a bucketized release.
    """
    release = _Verifying(spark, path)
    release.compare_folder()
    release.read_others()
    name = release._place.path
    if release.problems:
        raise InputError(f"{name}: is not in order: {release.problems[0]}", file=name)
    return ask(release, sql, name)


def ask(release: Any, sql: str, path: str) -> Answer:
    """release: with what _Verifying has of one."""
    cells = _Cells(release, sql)
    counted = release.in_executors(_gather(release.manifest, release.others, release.range_of, release.table_of, cells.tables, sql, path))
    with scratch() as folder:
        write_piece(folder, cells.manifest, release.others, cells.tables, cells.n_suppressed)
        try:
            found = _core.query_settle(os.fsencode(folder), sql.encode(), tuple(bytes(facts) for facts in counted))
        except _core.CoreError as error:
            raise_error(error, {folder: path})
    return Answer(_answer(*found))


# ---- cells ----


class _Cells:
    """Rows that have every cell of the columns that a query names, and a manifest that goes with them alone.

    Attributes:
        tables: lines by table, classes numbered from 1.
        manifest: with a prior of these rows and the suppressed ones.
        n_suppressed: rows of the release.
    """

    def __init__(self, release: _Verifying, sql: str) -> None:
        manifest = release.manifest
        self.n_suppressed: int = manifest["suppressed_rows"]
        self._prior: dict[str, dict[str, int]] = manifest.get("prior", {}) if manifest["form"] == "generalized" else {}
        names = [column["name"] for column in manifest["columns"]]
        named = [name for name in names if _names(sql, name) or (self.n_suppressed and name in self._prior)]
        task = _count_cells(release.range_of, release.table_of, named, WORDS[manifest["form"]] is not None)
        headers: dict[str, list[str]] = {}
        counts: dict[str, dict[str, Counter[str]]] = {}
        for facts in release.in_executors(task):
            for table, (header, columns) in json.loads(facts).items():
                headers[table] = header
                for name, found in columns.items():
                    sums = counts.setdefault(table, {}).setdefault(name, Counter())
                    if name in named or not sums:
                        sums.update(found)
        n = max(len(found) for columns in counts.values() for found in columns.values())
        is_bucketized, is_numbered = manifest["form"] == "bucketized", WORDS[manifest["form"]] is not None
        rows = {
            table: list(_rows(headers[table], {name: sorted(found) for name, found in columns.items()}, n, is_numbered))
            for table, columns in counts.items()
        }
        if not is_bucketized:
            rows = {table: [row for row in found for _ in range(_size(row))] for table, found in rows.items()}
        self.tables = {table: _lines(headers[table], rows.get(table, []), is_numbered) for table in headers}
        self.manifest = {**manifest, "prior": self._own_prior(headers, counts, rows)} if self._prior else manifest

    def _own_prior(
        self, headers: dict[str, list[str]], counts: dict[str, dict[str, Counter[str]]], rows: dict[str, list[list[str]]]
    ) -> dict[str, dict[str, int]]:
        """Of these rows and the suppressed ones, which are what the prior has more than the tables."""
        own: dict[str, dict[str, int]] = {}
        for name, prior in self._prior.items():
            at = headers["table.csv"].index(name)
            here = Counter(row[at] or "null" for row in rows["table.csv"])
            published = {cell or "null": n for cell, n in counts["table.csv"][name].items()} if self.n_suppressed else prior
            own[name] = {value: n - published.get(value, 0) + here.get(value, 0) for value, n in prior.items()}
            if self.n_suppressed and sum(own[name].values()) != len(rows["table.csv"]) + self.n_suppressed:
                raise InputError(f'the prior of "{name}" does not make the number of suppressed rows: covey verify says more')
        return own


def _names(sql: str, name: str) -> bool:
    """May a query speak of a column?"""
    return name.replace('"', '""').casefold() in sql.casefold()


def _rows(header: list[str], cells: dict[str, list[str]], n: int, is_numbered: bool) -> Iterator[list[str]]:
    """n rows: the i-th has each column's i-th cell, and is a class of its own."""
    for i in range(n):
        first = [str(i + 1)] if is_numbered else []
        yield first + ["1" if name not in cells else cells[name][min(i, len(cells[name]) - 1)] for name in header[len(first) :]]


def _size(row: list[str]) -> int:
    """How many rows a class with such cells has at least: a range has two ends, and each value of a set is a row's."""
    return 2 + max((cell.count(",") for cell in row if cell.startswith("{")), default=0)


def _lines(header: list[str], rows: list[list[str]], is_numbered: bool) -> Lines:
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(header)
    writer.writerows(rows)
    return lines_of(text.getvalue().encode(), is_numbered)


def _count_cells(
    range_of: dict[str, int], table_of: dict[str, str], named: list[str], is_numbered: bool
) -> Callable[[Iterator[Any]], Iterator[Any]]:
    """How often each cell of the named columns stands in a file, and one cell of the others."""

    def task(batches: Iterator[Any]) -> Iterator[Any]:
        from covey import _parquet

        for number, contents in _tasks.by_range(batches, range_of):
            facts: dict[str, Any] = {}
            for name, content in contents.items():
                content = _tasks.text_of(name, content)
                header = _parquet.header_of(content)
                if table_of[name] == "help.csv":  # follows from the others
                    facts["help.csv"] = [header, {}]
                    continue
                read = _parquet.from_csv(content)
                columns = {}
                for at, column in enumerate(header):
                    if is_numbered and at == 0 or table_of[name] == "sensitive.csv" and at == len(header) - 1:
                        continue  # the number of the class or group, and how often a value stands in it
                    values = read.column(at) if column in named else read.column(at)[:1]
                    columns[column] = {item["values"].as_py(): item["counts"].as_py() for item in values.value_counts()}
                facts[table_of[name]] = [header, columns]
            yield _tasks._batch({"range": [number], "facts": [json.dumps(facts).encode()]}, _tasks._schema(*_FOUND))

    return task


# ---- counting ----


def _with_behind(lines: Lines, cells: Lines, is_numbered: bool) -> Lines:
    """A file's lines and those of cells, whose classes come next."""
    behind = cells.shifted(lines.last) if is_numbered and lines.records else cells
    return lines_of(lines.text + behind.body, is_numbered)


def _gather(
    manifest: dict[str, Any],
    others: dict[str, bytes],
    range_of: dict[str, int],
    table_of: dict[str, str],
    cells: dict[str, Lines],
    sql: str,
    path: str,
) -> Callable[[Iterator[Any]], Iterator[Any]]:
    is_numbered = WORDS[manifest["form"]] is not None

    def task(batches: Iterator[Any]) -> Iterator[Any]:
        for number, contents in _tasks.by_range(batches, range_of):
            texts = {table_of[name]: _tasks.text_of(name, content) for name, content in contents.items() if table_of[name] in cells}
            own = {table: lines_of(text, is_numbered) for table, text in texts.items()}
            n_rows = own[rows_table(manifest)].records
            tables = {table: _with_behind(lines, cells[table], is_numbered) for table, lines in own.items()}
            with scratch() as folder:
                try:
                    write_piece(folder, manifest, others, tables, 0)
                    facts = _core.query_gather(os.fsencode(folder), n_rows, sql.encode())
                except _core.CoreError as error:
                    raise _tasks.failing(_core.CoreError(*_tasks._in_words(error.args, {folder: path}))) from None
                except Exception as error:
                    raise _tasks.failing(error) from None
            yield _tasks._batch({"range": [number], "facts": [facts]}, _tasks._schema(*_FOUND))

    return task


# ---- the answer, in the words of `covey query --json` ----


def _figures(
    aggregate: str,
    lower: str | None,
    upper: str | None,
    is_date: bool,
    estimate: float | None,
    error: float | None,
    has_midpoint: bool,
    midpoint: float | None,
    interval: tuple[Any, ...] | None,
) -> dict[str, Any]:
    bounds = [text if text is None or is_date else json.loads(text) for text in (lower, upper)]
    found = {"aggregate": aggregate, "lower": bounds[0], "upper": bounds[1], "estimate": estimate, "standard_error": error}
    if has_midpoint:
        found["midpoint"] = midpoint
    if interval is not None:
        keys = ("lower", "upper", "clipped_lower", "clipped_upper", "few_rows")
        found["interval"] = {"confidence": 0.95, **dict(zip(keys, interval))}
    return found


def _answer(is_grouped: bool, keys: Any, groups: Any, notes: Any) -> dict[str, Any]:
    found: list[dict[str, Any]] = []
    for values, answers, least, most in groups:
        key = {
            name: json.loads(value) if is_number and value is not None else value for (name, is_number), value in zip(keys, values)
        }
        group = {"answers": [_figures(*answer) for answer in answers], "hits": {"lower": least, "upper": most}}
        found.append({"key": key, **group} if is_grouped else group)
    return {**({"groups": found} if is_grouped else found[0]), **({"notes": list(notes)} if notes else {})}
