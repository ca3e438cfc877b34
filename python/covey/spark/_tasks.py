"""What runs in executors: libcovey on rows, parts and pieces. Everything that a task needs comes with it."""

from __future__ import annotations

import contextlib
import hashlib
import itertools
import json
import os
import re
from collections.abc import Callable, Iterable, Iterator
from typing import Any

from ._lines import lines_of
from ._scratch import scratch

MARK = "covey-error:"
_BATCH = 1 << 18  # rows that are dealt at once

_recipes: dict[str, Any] = {}  # of this process, by digest


def failing(error: BaseException) -> BaseException:
    """An error of the library as one that comes back through Spark with all that it says."""
    from covey import _core

    if isinstance(error, _core.CoreError):
        return RuntimeError(MARK + json.dumps([str(item) if item is not None else None for item in error.args]) + MARK)
    return error


def _recipe(files: dict[str, bytes]) -> Any:
    """The recipe of a job, opened once in a process: it lies beside its hierarchies as where it was made."""
    from covey import _core

    digest = hashlib.sha256(files["recipe"]).hexdigest()
    if digest not in _recipes:
        with scratch() as folder:
            put_files(folder, files)
            _recipes.clear()  # one job after another
            _recipes[digest] = _core.Recipe(os.fsencode(os.path.join(folder, "recipe")))
    return _recipes[digest]


def put_files(folder: str, files: dict[str, bytes]) -> None:
    for name, content in files.items():
        with open(os.path.join(folder, name), "wb") as file:
            file.write(content)


class _Memory:
    """A file that is in memory alone."""

    def __init__(self, content: bytes | None = None) -> None:
        self.number = os.memfd_create("covey", os.MFD_CLOEXEC)
        if content is not None:
            with os.fdopen(os.dup(self.number), "wb") as file:
                file.write(content)

    @property
    def path(self) -> bytes:
        return b"/proc/self/fd/%d" % self.number

    def content(self) -> bytes:
        with open(self.path, "rb") as file:
            return file.read()

    def close(self) -> None:
        os.close(self.number)


@contextlib.contextmanager
def _memories(contents: Iterable[bytes | None]) -> Iterator[list[_Memory]]:
    files: list[_Memory] = []
    try:
        for content in contents:
            files.append(_Memory(content))
        yield files
    finally:
        for file in files:
            file.close()


def _batch(columns: dict[str, list[Any]], schema: Any) -> Any:
    import pyarrow

    return pyarrow.RecordBatch.from_pydict(columns, schema=schema)


def _schema(*fields: tuple[str, str]) -> Any:
    import pyarrow

    kinds = {"int": pyarrow.int32(), "long": pyarrow.int64(), "string": pyarrow.string(), "binary": pyarrow.binary()}
    return pyarrow.schema([(name, kinds[kind]) for name, kind in fields])


# ---- rows to parts ----

DEALT = (("part", "int"), ("n", "long"), ("rows", "binary"))


def deal(files: dict[str, bytes], names: list[str]) -> Callable[[Iterator[Any]], Iterator[Any]]:
    """Rows become codes, packed by part: no text and no value goes further. Part 0 has the sums of the rows. names: of the
    columns."""

    def task(batches: Iterator[Any]) -> Iterator[Any]:
        import pyarrow
        from covey import _core

        schema = _schema(*DEALT)
        kept: list[Any] = []

        def flush() -> Any:
            data = _core.Data(pyarrow.Table.from_batches(kept).rename_columns(names).__arrow_c_stream__())
            dealt = _recipe(files).deal(data.source.encode())
            kept.clear()
            parts, counts, rows = zip(*dealt)
            return _batch({"part": list(parts), "n": list(counts), "rows": list(rows)}, schema)

        try:
            for batch in batches:
                kept.append(batch)
                if sum(other.num_rows for other in kept) >= _BATCH:
                    yield flush()
            if kept:
                yield flush()
        except Exception as error:
            raise failing(error) from None

    return task


# ---- parts ----

MADE = (("first", "int"), ("last", "int"), ("status", "string"), ("facts", "string"), ("content", "binary"))
KEYS = 64  # of a part that its keys are told by


def make(
    files: dict[str, bytes], group_of: dict[int, tuple[int, int]], random: bytes | int | None
) -> Callable[[Iterator[Any]], Iterator[Any]]:
    """All rows of a partition, which are those of one group of parts, become one part, or the reason why not."""

    def task(batches: Iterator[Any]) -> Iterator[Any]:
        from covey import _core

        schema = _schema(*MADE)
        rows: dict[tuple[int, int], list[bytes]] = {}
        for batch in batches:
            for part, packed in zip(batch.column("part").to_pylist(), batch.column("rows").to_pylist()):
                rows.setdefault(group_of[part], []).append(packed)
        for (first, last), packed in sorted(rows.items()):
            recipe = _recipe(files)
            status, facts, content = "made", "", b""
            with _memories([None]) as (file,):
                try:
                    recipe.make(file.number, first, last, tuple(packed), random)
                    facts, content = recipe.look(file.path, KEYS), file.content()
                except _core.CoreError as error:
                    if error.args[0] != "infeasible":
                        raise failing(error) from None
                    status, facts = "infeasible", json.dumps(error.args)
            yield _batch(
                {"first": [first], "last": [last], "status": [status], "facts": [facts], "content": [content]}, schema
            )

    return task


# ---- pieces ----

PIECES = (("address", "int"), ("range", "int"), ("first", "int"), ("content", "binary"))


def cut(files: dict[str, bytes], splitters: list[str], address: list[int]) -> Callable[[Iterator[Any]], Iterator[Any]]:
    """Each part in pieces, by the keys of its units."""

    def task(batches: Iterator[Any]) -> Iterator[Any]:
        schema = _schema(*PIECES)
        keys = tuple(key.encode() for key in splitters)
        for batch in batches:
            for first, content in zip(batch.column("first").to_pylist(), batch.column("content").to_pylist()):
                try:
                    with _memories([content, *([None] * len(address))]) as (part, *pieces):
                        recipe = _recipe(files)
                        recipe.cut(part.path, keys, tuple(piece.number for piece in pieces))
                        for i, piece in enumerate(pieces):
                            held = piece.content()
                            if json.loads(recipe.look(piece.path, 0))["units"] > 0:
                                yield _batch(
                                    {"address": [address[i]], "range": [i], "first": [first], "content": [held]}, schema
                                )
                except Exception as error:
                    raise failing(error) from None

    return task


# ---- ranges ----

COUNTED = (("range", "int"), ("sums", "binary"), ("classes", "long"), ("rows", "string"))
WRITTEN = (("table", "string"), ("text", "string"))


def _ranges(batches: Iterator[Any]) -> dict[int, list[tuple[int, bytes]]]:
    found: dict[int, list[tuple[int, bytes]]] = {}
    for batch in batches:
        columns = (batch.column(name).to_pylist() for name in ("range", "first", "content"))
        for number, first, content in zip(*columns):
            found.setdefault(number, []).append((first, content))
    return found


def _join(
    files: dict[str, bytes], pieces: list[tuple[int, bytes]], marks: bytes | None, suppressed: int, first_class: int, folder: str
) -> tuple[bytes, int]:
    try:
        with _memories(content for _, content in sorted(pieces)) as opened:
            paths = tuple(piece.path for piece in opened)
            sums, classes = _recipe(files).join(paths, marks, suppressed, first_class, os.fsencode(folder))
    except Exception as error:
        raise failing(error) from None
    return sums, classes


def _joined(
    batches: Iterator[Any], files: dict[str, bytes], marks: bytes | None, suppressed: int, before: dict[int, int] | None
) -> Iterator[tuple[int, bytes, int, str]]:
    """Each range: its number, its counters, how many classes it has, and a folder with its tables. before: how many
    classes come first."""
    for number, pieces in sorted(_ranges(batches).items()):
        with scratch() as folder:
            yield number, *_join(files, pieces, marks, suppressed, before[number] if before else 0, folder), folder


def count(files: dict[str, bytes], marks: bytes | None, suppressed: int) -> Callable[[Iterator[Any]], Iterator[Any]]:
    """The counters of each range, and how many classes it has."""

    def task(batches: Iterator[Any]) -> Iterator[Any]:
        from covey import _parquet

        for number, sums, classes, folder in _joined(batches, files, marks, suppressed, None):
            rows = {}
            for name in sorted(os.listdir(folder)):
                with open(os.path.join(folder, name), "rb") as file:
                    content = file.read()
                rows[name] = lines_of(content, False).records, _parquet.header_of(content)
            columns: dict[str, list[Any]] = {"range": [number], "sums": [sums], "classes": [classes], "rows": [json.dumps(rows)]}
            yield _batch(columns, _schema(*COUNTED))

    return task


def write(
    files: dict[str, bytes], marks: bytes | None, suppressed: int, before: dict[int, int]
) -> Callable[[Iterator[Any]], Iterator[Any]]:
    """The lines of each range, one text for each table. before: how many classes come first."""

    def task(batches: Iterator[Any]) -> Iterator[Any]:
        for _, _, _, folder in _joined(batches, files, marks, suppressed, before):
            for name in sorted(os.listdir(folder)):
                with open(os.path.join(folder, name), encoding="utf-8", newline="") as file:
                    text = file.read()
                # Spark ends each text with a line feed.
                yield _batch({"table": [name], "text": [text[:-1]]}, _schema(*WRITTEN))

    return task


def write_cells(
    files: dict[str, bytes], marks: bytes | None, suppressed: int, before: dict[int, int], table: str
) -> Callable[[Iterator[Any]], Iterator[Any]]:
    """The rows of each range of one table, each cell a text."""

    def task(batches: Iterator[Any]) -> Iterator[Any]:
        from covey import _parquet

        for _, _, _, folder in _joined(batches, files, marks, suppressed, before):
            with open(os.path.join(folder, table), "rb") as file:
                yield from _parquet.from_csv(file.read()).to_batches(max_chunksize=1 << 16)

    return task


# ---- everything at once ----

FILES = (("number", "int"), ("text", "string"))


def make_whole(
    files: dict[str, bytes], paths: dict[str, str], names: list[str], policy: bytes, n_files: int, seed: int | None
) -> Callable[[Iterator[Any]], Iterator[Any]]:
    """A whole release of all rows, verified: warnings, the manifest, and the files that it lists, one text each. paths:
    what the policy calls its files; names: of the columns."""

    def task(batches: Iterator[Any]) -> Iterator[Any]:
        import pyarrow

        first = next(batches, None)
        if first is None:  # of a partition that Spark tries beside the one with the rows
            return
        named = (pyarrow.RecordBatch.from_arrays(batch.columns, names) for batch in itertools.chain((first,), batches))
        reader = pyarrow.RecordBatchReader.from_batches(pyarrow.RecordBatch.from_arrays(first.columns, names).schema, named)
        with scratch() as folder:
            put_files(folder, files)
            release = os.path.join(folder, "release")
            try:
                shown = {os.path.join(folder, name): path for name, path in paths.items()}
                said = _anonymize(reader, os.path.join(folder, "policy"), policy, shown, release, n_files, seed)
            except Exception as error:
                raise failing(error) from None
            with open(os.path.join(release, "manifest.json"), "rb") as file:
                written = [entry["name"] for entry in json.load(file)["files"]]
            yield _batch({"number": [0], "text": [json.dumps(said)]}, _schema(*FILES))
            for number, name in enumerate(["manifest.json", *written], 1):
                with open(os.path.join(release, name), encoding="utf-8", newline="") as text:
                    yield _batch({"number": [number], "text": [text.read()[:-1]]}, _schema(*FILES))  # Spark ends it with a line feed

    return task


def _anonymize(
    reader: Any, path: str, policy: bytes, shown: dict[str, str], release: str, n_files: int, seed: int | None
) -> list[str]:
    """What was said of it. shown: what files are called."""
    from covey import _core

    words = ["anonymize", f"--output={release}", f"--files={n_files}", "--json", "--quiet"]
    words += [] if seed is None else [f"--seed={seed}"]
    shown = {**shown, path: "the policy"}
    source = ""
    try:
        data = _core.Data(reader.__arrow_c_stream__())
        source = data.source
        shown[source] = "the DataFrame"
        line = (*words, f"--input={data.source}", "--", path)
        said = _core.run(tuple(os.fsencode(word) for word in line), policy, None)[2]
    except _core.CoreError as error:
        raise _core.CoreError(*_in_words(without_row(error.args, source), shown)) from None
    return [_in_words((None, message), shown)[1] for message in said]


def without_row(told: tuple[Any, ...], source: str) -> tuple[Any, ...]:
    """A complaint without a row of the DataFrame: its rows have no numbers, and come in any order."""
    status, message, file, row, *rest = told
    if source and message:
        message = re.sub(re.escape(source) + r":\d+", lambda _: source, message)
    return status, message, file, 0 if file == source else row, *rest


def _in_words(told: tuple[Any, ...], shown: dict[str, str]) -> tuple[Any, ...]:
    """What the library says, its second item a sentence and its third a file, in words that people know."""
    status, message, *rest = told
    for name, words in shown.items():
        message = message.replace(name, words)
        if rest and rest[0] == name:
            rest[0] = None
    return status, message, *rest


# ---- files ----

HASHED = (("path", "string"), ("bytes", "long"), ("rows", "long"), ("sha256", "string"))


def text_of(name: str, content: bytes) -> bytes:
    """A file of a table as CSV."""
    from covey import _parquet

    return _parquet.to_csv(content) if name.endswith(_parquet.ENDING) else content


def hashes(batches: Iterator[Any]) -> Iterator[Any]:
    """What the files are that were written."""
    for batch in batches:
        for path, content in zip(batch.column("path").to_pylist(), batch.column("content").to_pylist()):
            yield _batch(
                {
                    "path": [path],
                    "bytes": [len(content)],
                    "rows": [lines_of(text_of(path, content), False).records],
                    "sha256": [hashlib.sha256(content).hexdigest()],
                },
                _schema(*HASHED),
            )


HEADER = (("names", "string"),)


def header(batches: Iterator[Any]) -> Iterator[Any]:
    from covey import _parquet

    for batch in batches:
        for content in batch.column("content").to_pylist():
            yield _batch({"names": [json.dumps(_parquet.header_of(content))]}, _schema(*HEADER))


def cells(batches: Iterator[Any]) -> Iterator[Any]:
    """The rows of CSV files."""
    from covey import _parquet

    for batch in batches:
        for content in batch.column("content").to_pylist():
            yield from _parquet.from_csv(content).to_batches(max_chunksize=1 << 16)


def by_range(batches: Iterator[Any], range_of: dict[str, int]) -> list[tuple[int, dict[str, bytes]]]:
    """The files that Spark has read as binary ones, by the range of classes that they hold, in its order."""
    found: dict[int, dict[str, bytes]] = {}
    for batch in batches:
        for path, content in zip(batch.column("path").to_pylist(), batch.column("content").to_pylist()):
            name = path.rsplit("/", 1)[1]
            found.setdefault(range_of[name], {})[name] = content
    return sorted(found.items())
