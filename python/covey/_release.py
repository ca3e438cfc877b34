"""Releases: what was published, with all that can be asked of it."""

from __future__ import annotations

import contextlib
import json
import os
import re
import warnings
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Any

from . import _core, _folder, _types
from ._arguments import in_arguments
from ._call import Progress, encode, run, run_json, truth, words_of
from ._data import Data, Source
from ._errors import CoveyWarning, InputError, raise_error

if TYPE_CHECKING:
    import pandas
    import polars
    import pyarrow


_PART = re.compile(r"-\d{5}$")  # of a table in several files: table-00001


class Verdict:
    """Whether a release keeps its promises; true if it does.

    Attributes:
        holds: every promise was proven again from the files, and nothing is wrong with them.
        faithful: whether it is an image of the original; None if that was not asked.
        promises: one mapping each, as in the manifest.
        problems: what is wrong, one line each; they never show a sensitive value.
        units: of a release whose rows have persons how many are published, and whether the promises over them are
            proven (``{"published": 12, "proven": True}``); "fit" where that was looked for without links
            (docs/design/units.md). None: it has none.
    """

    def __init__(
        self,
        holds: bool,
        faithful: bool | None,
        promises: list[dict[str, Any]],
        problems: list[str],
        units: dict[str, Any] | None = None,
    ) -> None:
        self.holds = holds
        self.faithful = faithful
        self.promises = promises
        self.problems = problems
        self.units = units

    def __bool__(self) -> bool:
        return self.holds

    def __repr__(self) -> str:
        return f"Verdict(holds={self.holds}, faithful={self.faithful}, problems={self.problems})"

    def _repr_html_(self) -> str:
        from . import _html

        return _html.verdict(self)


class Answer:
    """What a query gave.

    Attributes:
        answers: per aggregate lower and upper bound, estimate and standard error (None: there is none); with GROUP BY
            an empty list.
        hits: lower and upper bound of the number of rows that are selected; None with GROUP BY.
        groups: with GROUP BY one mapping each: key, answers, hits; else None.
        notes: what keys mean where that is not plain.
    """

    def __init__(self, found: dict[str, Any]) -> None:
        self.answers: list[dict[str, Any]] = found.get("answers", [])
        self.hits: dict[str, int] | None = found.get("hits")
        self.groups: list[dict[str, Any]] | None = found.get("groups")
        self.notes: list[str] = found.get("notes", [])

    def _rows(self) -> list[dict[str, Any]]:
        if self.groups is None:
            return self.answers
        return [{**group["key"], **answer} for group in self.groups for answer in group["answers"]]

    def to_pandas(self) -> pandas.DataFrame:
        """A row per aggregate, and per group where there are some."""
        import pandas

        return pandas.DataFrame(self._rows())

    def __repr__(self) -> str:
        return f"Answer({self.groups if self.groups is not None else self.answers})"

    def _repr_html_(self) -> str:
        from . import _html

        return _html.table(self._rows())


def _query_text(sql: object) -> str:
    if not isinstance(sql, str):
        raise InputError(f"a query is a text such as SELECT COUNT(*), not {type(sql).__name__}", parameter="sql")
    return sql


class Release:
    """A release: a folder of tables with its manifest, or one that lives in memory until it is saved.

    Made by ``covey.anonymize`` and ``covey.open``. May be used by several threads at once. As a context manager, or
    when it is no longer used, a release in memory is given back.
    """

    def __init__(self, folder: str, *, temporary: bool = False, result: dict[str, Any] | None = None) -> None:
        self._folder = folder
        self._end = _folder.remove_later(self, folder) if temporary else None
        self._manifest: dict[str, Any] | None = None
        self._tables: dict[str, Any] = {}
        self._kept: tuple[tuple[int, int, int], _core.Kept] | None = None
        #: What ``covey anonymize --json`` says of the run that made it: counts, promises, objective, utility, seconds;
        #: None for a release that was opened.
        self.result = result

    def __reduce__(self) -> tuple[Any, ...]:
        """A pickled or copied release is the one in its folder; one in memory goes along with all its files."""
        if self._end is None:
            return _release_in, (self._folder, self.result)
        return _release_of, (_folder.contents(self.path), self.result)

    # ---- what it says ----

    @property
    def path(self) -> str:
        """The folder that the release is in."""
        if self._end is not None and not self._end.alive:
            raise InputError("the release was closed, and lived in memory only: save() it before")
        return self._folder

    @property
    def manifest(self) -> dict[str, Any]:
        """manifest.json: form, method, promises, columns, files, prior ... (docs/manifest.md)."""
        if self._manifest is None:
            with self._there(), open(os.path.join(self.path, "manifest.json"), encoding="utf-8") as file:
                self._manifest = json.load(file)
        return self._manifest

    @contextlib.contextmanager
    def _there(self) -> Iterator[None]:
        """InputError where the folder has gone meanwhile."""
        try:
            yield
        except OSError as error:
            raise InputError(f"{self.path}: is no release: manifest.json: {error.strerror}", file=self.path) from error

    @property
    def form(self) -> str:
        """generalized, bucketized, transformed, perturbed or sliced."""
        form: str = self.manifest["form"]
        return form

    @property
    def promises(self) -> list[dict[str, Any]]:
        """Every promise with its threshold and what was achieved, as the manifest says; verify() proves it."""
        promises: list[dict[str, Any]] = self.manifest["promises"]
        return promises

    @property
    def utility(self) -> dict[str, Any]:
        """What is left of the table: ail (0 the original, 1 nothing), discernibility, average class size."""
        utility: dict[str, Any] = self.manifest.get("utility") or {}
        return utility

    # ---- tables ----

    @property
    def table_names(self) -> list[str]:
        """The tables of the release: "table"; or "quasi", "sensitive"; or "column-1", "column-2" ..."""
        files = [str(file["name"]) for file in self.manifest["files"]]
        tables = [name[:-4] for name in files if name.endswith(".csv") and "/" not in name]
        return list(dict.fromkeys(_PART.sub("", name) for name in tables))

    def stream(self, name: str) -> Any:
        """One table as an object with __arrow_c_stream__, for whatever reads Arrow."""
        if name not in self.table_names:
            raise InputError(f'the release has no table "{name}"; it has {", ".join(self.table_names)}')
        return _Table(self, name)

    def _capsule(self, name: str) -> object:
        try:
            return _core.stream(encode(self.path), encode(name))
        except _core.CoreError as error:
            raise_error(error, {})

    def __arrow_c_stream__(self, requested_schema: object | None = None) -> object:
        """The table of a release that has one, else its first: the rows without their sensitive values."""
        return self._capsule(self.table_names[0])

    def _read(self, name: str) -> pyarrow.Table:
        if name not in self._tables:
            self._tables[name] = _import("pyarrow").table(self.stream(name))
        return self._tables[name]

    @property
    def table(self) -> pyarrow.Table:
        """The published rows: the table of a release that has one, else its first."""
        return self._read(self.table_names[0])

    @property
    def tables(self) -> dict[str, pyarrow.Table]:
        """All tables by name: numbers as integers or decimals, dates as dates, categories and ranges as dictionaries."""
        return {name: self._read(name) for name in self.table_names}

    def to_pandas(self, name: str | None = None, *, labels: bool = False) -> pandas.DataFrame:
        """The table (or the one of that name) as a DataFrame. Ranges of numbers are intervals closed at both ends
        (IntervalDtype; a suppressed cell is missing), categories that a policy or hierarchy orders ordered categoricals,
        a group before its members. labels: columns of a table with value labels are ordered categoricals of these."""
        library = _import("pandas")
        frame: pandas.DataFrame = self._read(name or self.table_names[0]).to_pandas()
        for column, texts in self._categories(name):
            ends, order = _types.meaning_of(self.path, self.manifest, column, texts)
            cells = frame[column].astype(object)
            if ends is not None:
                found = [ends.get(cell, (None, None)) for cell in cells]
                low, high = (library.array([pair[at] for pair in found], dtype="float64") for at in (0, 1))
                frame[column] = library.arrays.IntervalArray.from_arrays(low, high, closed="both")
            elif order is not None:
                frame[column] = library.Categorical(cells, categories=order, ordered=True)
        for column, (words, order) in self._in_words(name).items() if labels else ():
            frame[column] = library.Categorical(words, categories=order, ordered=True)
        return frame

    def _in_words(self, name: str | None) -> dict[str, tuple[list[str | None], list[str]]]:
        """The columns of a table whose values have labels, as these, with all of them in order."""
        from ._files import coding
        from ._files.labels import Codebook, value_text

        table, codebook = self._read(name or self.table_names[0]), Codebook.of_manifest(self.manifest)
        found = {}
        for column in table.column_names:
            texts = [None if value is None else value_text(value) for value in table.column(column).to_pylist()]
            words = coding.in_words(texts, codebook.values(column))
            if words is not None:
                found[column] = words
        return found

    def _categories(self, name: str | None) -> list[tuple[str, list[str]]]:
        """The columns of a table that are dictionaries, with their different texts."""
        table = self._read(name or self.table_names[0])
        kind = _import("pyarrow").types.is_dictionary
        return [
            (field.name, [label for label in table.column(field.name).unique().to_pylist() if label is not None])
            for field in table.schema
            if kind(field.type)
        ]

    def to_polars(self, name: str | None = None, *, labels: bool = False) -> polars.DataFrame:
        """The table (or the one of that name) as a DataFrame of polars. Ranges of numbers are structs of low and high
        (a suppressed cell is missing), categories that a policy or hierarchy orders an Enum, a group before its
        members. labels: columns of a table with value labels are Enums of these; needs pyarrow."""
        library = _import("polars")
        frame: polars.DataFrame = library.DataFrame(self.stream(name or self.table_names[0]))
        for column in [name for name, kind in frame.schema.items() if kind == library.Categorical]:
            cells = frame[column].cast(library.String)
            texts = cells.drop_nulls().unique().to_list()
            ends, order = _types.meaning_of(self.path, self.manifest, column, texts)
            if ends is not None:
                pairs = [dict(zip(("low", "high"), ends[cell])) if cell in ends else None for cell in cells]
                kind = library.Struct({"low": library.Float64, "high": library.Float64})
                frame = frame.with_columns(library.Series(column, pairs, dtype=kind, strict=False))
            elif order is not None:
                frame = frame.with_columns(cells.cast(library.Enum(order)).alias(column))
        for column, (words, order) in self._in_words(name).items() if labels else ():
            frame = frame.with_columns(library.Series(column, words, dtype=library.Enum(order)))
        return frame

    # ---- where it goes ----

    def save(self, folder: str | os.PathLike[str], force: bool = False) -> Release:
        """Writes the release to a folder, all of it or nothing; the release of that folder.

        force: replace a release that is there and holds nothing else. InputError if the folder is there otherwise.
        """
        target = _folder.path_of(folder)
        _folder.copy(self.path, target, truth("force", force))
        return Release(target, result=self.result)

    def write(
        self, file: str | os.PathLike[str], table: str | None = None, *, like: Data = None, force: bool = False
    ) -> str:
        """Writes the released table to one file, whose ending says the format: .csv (.gz, .zst), .parquet, .arrow,
        .sav, .zsav, .dta, .xpt, .xlsx, .ods; its name.

        A release of a table with labels has them again: names and labels of columns, labels of the values that are
        published, missing codes and formats (where the format is that of the input). A generalized category gets a code
        of its own with its label, ranges of plain numbers are texts; Excel, OpenDocument and SAS get labels as texts. A
        name that a statistics program cannot have is changed, with a warning, and stands in the column's label.

        Args:
            table: which one, of a release that has several.
            like: a file or table whose labels are taken; None: those of the table that the release was made of, which
                its manifest has.
            force: replace a file of that name.

        Raises InputError for an ending that is not known, a file that is there, a table that the format cannot hold.
        """
        from ._files import labels, reading, writing

        names = self.table_names
        if table is None and len(names) > 1:
            raise InputError(f"the release has several tables, say which: table={' | '.join(map(repr, names))}")
        if isinstance(like, (str, os.PathLike)):
            like = reading.read(like)
        codebook = labels.Codebook.of_manifest(self.manifest)
        if like is not None:
            if not hasattr(like, "__arrow_c_stream__"):
                raise InputError(f"like: {type(like).__name__} is no table: hand over a path, or a table", parameter="like")
            codebook = labels.Codebook.of_schema(getattr(like, "schema", None))
        name = _folder.path_of(file)
        said = writing.write(self._read(table or names[0]), codebook, name, truth("force", force))
        if said:
            warnings.warn(said, CoveyWarning, stacklevel=2)
        return name

    def export(self, target: str, force: bool = False, **options: Any) -> dict[str, Any]:
        """Loads the release into a database or files: sqlite:FILE, postgresql://USER@HOST/DATABASE, csv:FOLDER,
        jsonl:FOLDER. What was written, by table. options: those of ``covey export``."""
        _, found = self._run(words_of("export", to=target, force=force, **options))
        return _mapping(found)

    def report(
        self, path: str | os.PathLike[str] | None = None, original: Data = None, *, force: bool = False, **options: Any
    ) -> str:
        """One page for those who answer for the release: as HTML, or written to path (.html, .md, .json), which is
        given back then. With the original it says more, and must not be passed on with the release. options: those of
        ``covey report``, such as links, entity, within and weight, which say whose the rows of the original are, and
        releases_ledger, the ledger of m-invariant releases: where rows are made up it says which rows of the original
        stand in which class."""
        sources, words = _original(original)
        if path is None:
            options.setdefault("format", "html")
            return run(words_of("report", **words, **options), [self.path], sources=sources, shown=self._shown)[1].decode()
        target = _folder.path_of(path)
        self._run(words_of("report", output=target, force=force, **words, **options), sources=sources)
        return target

    # ---- what can be asked ----

    def _run(self, words: list[str], *operands: str, **how: Any) -> tuple[bool, Any]:
        return run_json(words, [self.path, *operands], shown=self._shown, **how)

    @property
    def _shown(self) -> dict[str, str]:
        """How its folder is called in messages: nobody knows that of a release in memory."""
        return {} if self._end is None else {self._folder: "<Release>"}

    def verify(
        self,
        original: Data = None,
        *,
        ledger: str | os.PathLike[str] | None = None,
        previous: Iterable[Release | str | os.PathLike[str]] = (),
        progress: Progress = None,
        **options: Any,
    ) -> Verdict:
        """Proves every promise again, from the release's files alone; with the original (a path or a table) also that
        every published row is one of its rows; with the ledger of a table that changes and all of its other releases
        that everybody has the same values in all of them. options: those of ``covey verify``, such as links, entity and
        within, which prove promises over persons."""
        sources, words = _original(original)
        given = words_of("verify", **words, ledger=ledger, previous=paths_of(previous), **options)
        _, found = self._run(given, sources=sources, progress=progress)
        return Verdict(found["holds"], found["faithful"], found["promises"], [in_arguments(line) for line in found["problems"]], found.get("units"))

    def query(self, sql: str, **options: Any) -> Answer:
        """Answers ``SELECT COUNT(*) | COUNT(DISTINCT entity) | SUM(s) | AVG(s) | MIN(s) | MAX(s) | SUM(weight * s) ... [WHERE ...] [GROUP BY ...]`` with bounds
        that hold for every table that the release could have come from, and an estimate (docs/queries.md)."""
        return Answer(self._run(words_of("query", **options), _query_text(sql), kept=self._opened())[1])

    def query_sql(self, sql: str, dialect: str = "sqlite") -> str:
        """The query as SQL that gives the same over the tables of ``export`` (docs/export.md). dialect: also "postgresql"."""
        if not isinstance(dialect, str):
            raise InputError(f"dialect must be one of sqlite, postgresql, not {dialect!r}", parameter="dialect")
        rewritten: str = self._run(words_of("query", sql=dialect), _query_text(sql), kept=self._opened())[1]["sql"]
        return rewritten

    def _opened(self) -> _core.Kept:
        """The release as queries read it, once for all of them; again if its files were replaced."""
        with self._there():
            facts = os.stat(os.path.join(self.path, "manifest.json"))
        stamp = facts.st_ino, facts.st_mtime_ns, facts.st_size
        kept = self._kept
        if kept is None or kept[0] != stamp:
            kept = self._kept = (stamp, _core.Kept())
        return kept[1]

    def measure(self, original: Data = None, queries: int = 0, *, progress: Progress = None, **options: Any) -> dict[str, Any]:
        """What is left of the original: information loss, discernibility, class sizes, divergence; with queries also
        the error of that many random ones. options: those of ``covey measure``."""
        sources, given = _original(original)
        words = words_of("measure", queries=queries or None, **given, **options)
        return _mapping(self._run(words, sources=sources, progress=progress)[1])

    def attack(
        self,
        original: Data = None,
        names: str | Iterable[str] | None = None,
        with_: Release | str | os.PathLike[str] | Iterable[Release | str | os.PathLike[str]] | None = None,
        *,
        releases_ledger: str | os.PathLike[str] | None = None,
        progress: Progress = None,
        **options: Any,
    ) -> list[dict[str, Any]]:
        """Runs known attacks: what an adversary gains, one mapping each. with_: another release of the same table.
        releases_ledger: the ledger of m-invariant releases. With the original it says which rows stand in which class,
        as it has to where rows are made up; with with_, one or several releases that it knows, composition looks at the
        people who are in them, and takes no original. options: those of ``covey attack``; population and with_original
        may be tables."""
        sources, given = _original(original)
        for name in "population", "with_original":
            if options.get(name) is not None:
                sources.append(Source(options[name]))
                options[name] = sources[-1].name
        if names is not None and not isinstance(names, Iterable):
            raise InputError(f"names must be names of attacks, not {names!r}", parameter="names")
        attacks = names if names is None or isinstance(names, str) else list(names)
        if attacks is not None and not attacks:
            raise InputError("names is empty, and no attack would be no danger: name some, or leave it out for all of them", parameter="names")
        words = words_of("attack", attack=attacks, releases_ledger=releases_ledger, **given, **options)
        for other in () if with_ is None else paths_of(with_):
            words += ["--with", other]
        found: list[dict[str, Any]] = self._run(words, sources=sources, progress=progress)[1]["attacks"]
        for one in found:
            one.update((key, in_arguments(text)) for key, text in one.items() if isinstance(text, str))
        return found

    # ---- Python ----

    def close(self) -> None:
        """Gives a release in memory back; one in a folder stays, but is no longer held open for queries."""
        self._kept = None
        if self._end is not None:
            self._end()

    def __enter__(self) -> Release:
        return self

    def __exit__(self, *error: object) -> None:
        self.close()

    def __repr__(self) -> str:
        where = "in memory" if self._end is not None else repr(self._folder)
        try:
            promises = ", ".join(f"{p['model']} {p.get('threshold', '')}".strip() for p in self.promises)
            return f"<covey.Release {where}: {self.form}, {promises}>"
        except InputError:
            return f"<covey.Release {where}: closed, or gone>"

    def _repr_html_(self) -> str:
        from . import _html

        return _html.release(self)


def _release_in(folder: str, result: dict[str, Any] | None) -> Release:
    return Release(folder, result=result)


def _release_of(files: dict[str, bytes], result: dict[str, Any] | None) -> Release:
    """A release in memory with these files."""
    return Release(_folder.filled(files), temporary=True, result=result)


class _Table:
    """One table of a release for whatever reads Arrow."""

    def __init__(self, release: Release, name: str) -> None:
        self._release = release
        self._name = name

    def __arrow_c_stream__(self, requested_schema: object | None = None) -> object:
        return self._release._capsule(self._name)


def _import(name: str) -> Any:
    import importlib

    try:
        return importlib.import_module(name)
    except ImportError:
        raise InputError(f"this needs {name}: pip install {name}") from None


def _mapping(found: Any) -> dict[str, Any]:
    result: dict[str, Any] = found
    return result


def _original(data: Data) -> tuple[list[Source], dict[str, Any]]:
    if data is None:
        return [], {}
    source = Source(data)
    return [source], {"original": source.name}


def paths_of(releases: Release | str | os.PathLike[str] | Iterable[Release | str | os.PathLike[str]]) -> list[str]:
    """Where releases are."""
    if isinstance(releases, (Release, str)) or not isinstance(releases, Iterable):
        releases = [releases]
    return [release.path if isinstance(release, Release) else _folder.path_of(release) for release in releases]
