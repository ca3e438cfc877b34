"""The main job on a cluster: plan, deal, make parts, cut, join, write, verify, rename."""

from __future__ import annotations

import contextlib
import json
import os
import re
import secrets
import tempfile
import uuid
from collections.abc import Iterator
from typing import Any

from .. import _core
from .._data import Source
from .._errors import InputError, SystemError_, raise_error
from .._policy import PolicyLike, _with_paths, policy_of
from . import _tasks
from ._deal import addresses
from ._folder import Place, check_target
from ._release import SparkRelease
from ._verify import _Verifying

MOST_VALUES = 5_000_000  # of a column: the driver and every executor hold them
SAMPLE = 1 << 14  # different rows that parts are found by
MOST_BITS = 40

_SIMPLE = ("byte", "short", "integer", "long", "float", "double", "boolean", "string", "date", "decimal", "char", "varchar")


def anonymize(
    df: Any,
    policy: PolicyLike,
    target: str | os.PathLike[str],
    *,
    rows_per_part: int | None = None,
    seed: int | None = None,
    format: str = "csv",
    force: bool = False,
) -> SparkRelease:
    """Makes a release of a DataFrame that keeps every promise of a policy; no row passes through the driver.

    The release depends on the rows, the policy and rows_per_part alone: not on partitions, executors, or what of the
    work had to be repeated. Random numbers follow from a secret of this call, or from the seed.

    Args:
        df: rows; they must be the same each time they are computed (persist() what is not). Columns are numbers,
            texts, dates and booleans.
        policy: a Policy, a path, or a mapping. The method is one that can do parts (covey.methods()).
        target: any path that Spark writes to.
        rows_per_part: rows that are anonymized together, about; None: 1,000,000.
        seed: makes what is random repeatable, for tests: the manifest says so.
        format: "csv".
        force: replace a release that is there and holds nothing else.

    Raises:
        Infeasible, InputError, SystemError_: as covey.anonymize(). Whatever is raised, nothing half-written stays.

    Source: docs/design/spark.md.
    """
    if format != "csv":
        raise InputError(f'format must be "csv", not {format!r}: the tables of releases are CSV files; write .table as Parquet')
    if rows_per_part is not None and rows_per_part < 1:
        raise InputError("rows_per_part must be at least 1")
    spark = df.sparkSession
    place = Place(spark, os.fspath(target))
    check_target(place, force)
    with _Job(df, policy, 1_000_000 if rows_per_part is None else rows_per_part, seed) as job:
        beside = Place(spark, f"{place.parent}/.{place.name}.covey-{uuid.uuid4().hex}")
        try:
            job.run(beside)
            with spark_errors():
                verdict = _Verifying(spark, beside.path, is_suppressed_judged=True).run()  # by the counters, before
            if not verdict.holds:
                raise SystemError_(f"the written release failed its verification and was removed: {verdict.problems[:1]}")
            check_target(place, force)
            if place.exists():
                place.remove()
            beside.rename(place)
        finally:
            if beside.exists():
                beside.remove()
    return SparkRelease(spark, place.path)


@contextlib.contextmanager
def spark_errors() -> Iterator[None]:
    """What a task raised of covey's own is raised as on one machine."""
    raised = None
    try:
        yield
    except Exception as error:
        found = re.search(f"{_tasks.MARK}(.*?){_tasks.MARK}", str(error), re.S)
        if not found:
            raise
        fields = json.loads(found.group(1).replace("\\'", "'"))
        fields[3], fields[5] = int(fields[3] or 0), int(fields[5] or 0)
        raised = _core.CoreError(*fields)
    if raised is not None:
        raise_error(raised, {})


class _Job:
    """One call of anonymize(): what it keeps while it lasts."""

    def __init__(self, df: Any, policy: PolicyLike, rows_per_part: int, seed: int | None) -> None:
        self._df = df
        self._spark = df.sparkSession
        self._policy = policy_of(policy, {})
        self._rows_per_part = rows_per_part
        self._random: bytes | int = secrets.token_bytes(32) if seed is None else seed
        self._kept: list[Any] = []  # what Spark keeps
        self._stack = contextlib.ExitStack()

    def __enter__(self) -> _Job:
        self._folder = self._stack.enter_context(tempfile.TemporaryDirectory(prefix="covey-"))  # mode 0700
        return self

    def __exit__(self, *raised: object) -> None:
        for frame in self._kept:
            frame.unpersist()
        self._stack.close()

    def _keep(self, frame: Any) -> Any:
        from pyspark import StorageLevel

        self._kept.append(frame.persist(StorageLevel.DISK_ONLY))
        return self._kept[-1]

    def run(self, place: Place) -> None:
        with spark_errors():
            self._choose_columns()
            self._plan()
            self._make()
            self._join()
            place.make()
            self._write(place)

    # ---- which columns ----

    def _choose_columns(self) -> None:
        files = iter(range(1_000_000))
        self._files: dict[str, bytes] = {}

        def bring(path: str) -> str:
            """Hierarchies go wherever the recipe goes."""
            name = f"file-{next(files)}.csv"
            try:
                with open(os.path.join(self._policy._folder(), path), "rb") as file:
                    self._files[name] = file.read()
            except OSError as error:
                raise InputError(f"{path}: {error.strerror}", file=path) from error
            return name

        keys = self._policy.to_dict()
        source = {key: value for key, value in (keys.get("input") or {}).items() if key not in ("path", "delimiter")}
        keys["input"] = source
        keys = _with_paths(keys, bring)
        keys["input"] = {**source, "path": "DataFrame"}
        for name, content in self._files.items():
            with open(os.path.join(self._folder, name), "wb") as file:
                file.write(content)
        self._keys = keys
        from .. import _yaml

        self._yaml = _yaml.dump(keys).encode()
        self._path = os.fsencode(os.path.join(self._folder, "policy"))
        names = self._df.columns
        for name in names:
            if names.count(name) > 1:
                raise InputError(f'two columns are called "{name}"', column=name)
        try:
            kept = _core.plan_columns(self._yaml, self._path, tuple(name.encode() for name in names))
        except _core.CoreError as error:
            raise_error(error, {})
        self._columns = [name for name, keep in zip(names, kept) if keep]
        for name in self._columns:
            self._check_type(name)
        roles = {item["name"]: item.get("role") for item in keys.get("attributes") or []}
        self._quasi = [name for name in self._columns if roles.get(name) == "quasi-identifier"]
        self._sensitive = [name for name in self._columns if roles.get(name) == "sensitive"]

    def _check_type(self, name: str) -> None:
        kind = self._df.schema[name].dataType.typeName()
        if kind in _SIMPLE or kind.startswith(("decimal", "char", "varchar", "string")):
            return
        advice = "cast it to a date or a text" if kind.startswith("timestamp") else "select what is to be published of it"
        raise InputError(
            f'column "{name}": a column of type {self._df.schema[name].dataType.simpleString()} is not published; {advice}, '
            "or leave it out of the policy (others: drop)",
            column=name,
        )

    # ---- the plan ----

    def _is_missing(self, name: str) -> Any:
        from pyspark.sql import functions as F

        source = self._keys["input"]
        column = F.col(_quoted(name))
        kind = self._df.schema[name].dataType.typeName()
        texts = source.get("null", [""])
        missing = column.isNull()
        if kind in ("float", "double"):
            missing = missing | F.isnan(column)
        text = column.cast("string")
        if source.get("trim"):
            text = F.trim(text)
        return missing | text.isin([str(item) for item in texts] or ["\0"])

    def _without_missing(self, frame: Any) -> Any:
        """The rows that take part; counts those that the policy drops."""
        from pyspark.sql import functions as F

        source = self._keys["input"]
        self._dropped = 0
        wishes = ((self._sensitive, source.get("missing-sensitive", "error")), (self._quasi, source.get("missing-quasi", "value")))
        dropped = [self._is_missing(name) for names, wish in wishes if wish == "drop" for name in names]
        refused = [name for names, wish in wishes if wish == "error" for name in names]
        if refused:
            counts = frame.agg(*[F.count(F.when(self._is_missing(name), 1)).alias(str(i)) for i, name in enumerate(refused)]).first()
            for name, n in zip(refused, counts):
                if n > 0:
                    raise InputError(
                        f'column "{name}" is missing in {n:,} row{"s" if n > 1 else ""}; fill them, drop them '
                        '(input: {"missing-sensitive": "drop"}), or say that missing is a value ("value")',
                        column=name,
                    )
        if not dropped:
            return frame
        condition = dropped[0]
        for other in dropped[1:]:
            condition = condition | other
        self._dropped = frame.where(condition).count()
        return frame.where(~condition)

    def _plan(self) -> None:
        from pyspark.sql import functions as F

        frame = self._df.select(*[F.col(_quoted(name)) for name in self._columns])
        self._rows = frame = self._without_missing(frame)
        counts: dict[str, Any] = {}
        n_rows = 0
        for name in self._columns:
            counts[name] = self._count_values(frame, name)
            n_rows = sum(counts[name].column(1).to_pylist())
            if n_rows == 0:
                raise InputError("the DataFrame has no row: nothing to publish")
        sample = self._sample(frame)
        sources = {name: Source(table) for name, table in counts.items()}
        sample_source = Source(sample)
        recipe = os.path.join(self._folder, "recipe")
        names = self._df.columns
        try:
            self._n_parts = _core.plan_counted(
                self._yaml,
                self._path,
                os.fsencode(recipe),
                tuple(name.encode() for name in names),
                tuple(sources[name].name.encode() if name in sources else None for name in names),
                sample_source.name.encode(),
                n_rows,
                self._dropped,
                self._rows_per_part,
            )
            self._recipe = _core.Recipe(os.fsencode(recipe))
        except _core.CoreError as error:
            raise_error(error, {sources[name].name: f'column "{name}"' for name in sources})
        self._n_rows = n_rows
        with open(recipe, "rb") as file:
            self._files["recipe"] = file.read()

    def _count_values(self, frame: Any, name: str) -> Any:
        from pyspark.sql import functions as F

        counted = frame.groupBy(F.col(_quoted(name))).agg(F.count(F.lit(1)).alias("count")).limit(MOST_VALUES + 1).toArrow()
        if counted.num_rows > MOST_VALUES:
            raise InputError(
                f'column "{name}" has more than {MOST_VALUES:,} different values, and the plan holds all of them: drop or coarsen it',
                column=name,
            )
        return counted.rename_columns(["value", "count"])

    def _sample(self, frame: Any) -> Any:
        """Different rows of quasi-identifiers, chosen by a hash of what they hold, and how many rows have each."""
        from pyspark.sql import functions as F

        columns = [F.col(_quoted(name)) for name in self._quasi]
        hash_name, count_name = (_free_name(name, self._quasi) for name in ("hash", "count"))
        hashed = frame.select(*columns, F.xxhash64(*columns).alias(hash_name))
        distinct = hashed.agg(F.approx_count_distinct(hash_name)).first()[0]
        bits = min(max((distinct // SAMPLE).bit_length() - 1, 0), MOST_BITS)
        if bits:
            hashed = hashed.where(F.shiftrightunsigned(F.col(hash_name), 64 - bits) == 0)
        sample = hashed.groupBy(*columns).agg(F.count(F.lit(1)).alias(count_name)).toArrow()
        if sample.num_rows == 0:
            raise SystemError_("the sample of rows is empty: the DataFrame gave other rows than before; persist() it")
        return sample

    # ---- parts ----

    def _make(self) -> None:
        dealt = self._keep(self._rows.mapInArrow(_tasks.deal(self._files), _ddl(_tasks.DEALT)))
        known: dict[tuple[int, int], Any] = {}
        self._made: list[tuple[Any, list[tuple[int, int]]]] = []
        while True:
            groups, wanted = self._walk(known)
            if not wanted:
                break
            frame = self._keep(self._make_groups(dealt, wanted))
            for row in frame.select("first", "last", "status", "facts").toLocalIterator():
                facts = json.loads(row.facts)
                if row.status == "infeasible":
                    known[row.first, row.last] = _core.CoreError(*facts)
                else:
                    known[row.first, row.last] = facts
            for group in wanted:
                known.setdefault(group, None)  # no row is in it
            self._made.append((frame, wanted))
        self._groups = [group for group in groups if known[group] is not None]
        self._facts = [known[group] for group in self._groups]
        self._check_rows()

    def _walk(self, known: dict[tuple[int, int], Any]) -> tuple[list[tuple[int, int]], list[tuple[int, int]]]:
        """The groups of parts that are made in the end, as `covey anonymize --memory-limit` finds them, as far as is
        known; and those that are to be tried next, on the chance that they can be kept."""
        groups: list[tuple[int, int]] = []
        wanted: list[tuple[int, int]] = []
        first, n = 1, self._n_parts
        while first <= n:
            last = first
            while True:
                if (first, last) not in known:
                    wanted.append((first, last))
                    break
                found = known[first, last]
                if not isinstance(found, _core.CoreError):
                    break
                if (first, last) == (1, n):
                    raise_error(found, {})
                if last < n:
                    last += 1
                elif groups:
                    first = groups.pop()[0]
                    wanted = [group for group in wanted if group[0] < first]
                else:
                    first = 1
            groups.append((first, last))
            first = last + 1
        return groups, wanted

    def _make_groups(self, dealt: Any, groups: list[tuple[int, int]]) -> Any:
        from pyspark.sql import functions as F

        address = addresses(len(groups))
        group_of = {part: group for group in groups for part in range(group[0], group[1] + 1)}
        place_of = [-1] * (self._n_parts + 1)
        for i, group in enumerate(groups):
            for part in range(group[0], group[1] + 1):
                place_of[part] = address[i]
        places = F.array(*[F.lit(place) for place in place_of])
        return (
            dealt.withColumn("address", F.element_at(places, F.col("part") + 1))
            .where("address >= 0")
            .repartition(len(groups), "address")
            .mapInArrow(_tasks.make(self._files, group_of, self._random), _ddl(_tasks.MADE))
        )

    def _check_rows(self) -> None:
        rows = sum(facts["rows"] for facts in self._facts)
        if rows != self._n_rows:
            raise InputError(
                f"{self._n_rows:,} rows were counted, but {rows:,} were dealt: the DataFrame gives other rows each time; persist() it"
            )
        self._suppressed = rows - sum(facts["published_rows"] for facts in self._facts)
        self._marks: bytes | None = None
        if self._suppressed:
            marks = 0
            for facts in self._facts:
                marks |= int(facts["marks"] or "0", 16)
            self._marks = marks.to_bytes(len(self._facts[0]["marks"]) // 2, "big")

    # ---- ranges ----

    def _splitters(self) -> list[str]:
        """Keys that cut the units of all parts into as many ranges as there are parts, of about as many rows."""
        keys = sorted((key, rows) for facts in self._facts for key, rows in facts["keys"])
        n, total, passed = len(self._groups), sum(rows for _, rows in keys), 0
        found: list[str] = []
        for i, (key, rows) in enumerate(keys):
            if i > 0 and key != keys[i - 1][0] and passed * n >= total * (len(found) + 1):
                found.append(key)
            passed += rows
        return found

    def _join(self) -> None:
        from pyspark.sql import functions as F

        splitters = self._splitters()
        address = addresses(len(splitters) + 1)
        wanted = set(self._groups)
        pieces: Any = None
        for frame, groups in self._made:
            firsts = [group[0] for group in groups if group in wanted]
            lasts = [group[1] for group in groups if group in wanted]
            if not firsts:
                continue
            frame = frame.where(F.concat_ws("-", "first", "last").isin([f"{f}-{l}" for f, l in zip(firsts, lasts)]))
            cut = frame.select("first", "content").mapInArrow(_tasks.cut(self._files, splitters, address), _ddl(_tasks.PIECES))
            pieces = cut if pieces is None else pieces.union(cut)
        self._pieces = self._keep(pieces.repartition(len(address), "address"))
        counted = self._pieces.mapInArrow(_tasks.count(self._files, self._marks, self._suppressed), _ddl(_tasks.COUNTED)).collect()
        self._ranges = sorted(counted, key=lambda row: row["range"])

    # ---- files ----

    def _write(self, place: Place) -> None:
        before: dict[int, int] = {}
        n = 0
        for row in self._ranges:
            before[row["range"]] = n
            n += row["classes"]
        staged = "_tables"
        self._pieces.mapInArrow(
            _tasks.write(self._files, self._marks, self._suppressed, before), _ddl(_tasks.WRITTEN)
        ).write.option("compression", "none").partitionBy("table").text(place.url(staged))
        listed = self._move_tables(place, staged, before)
        place.remove(staged)
        self._finish(place, listed)

    def _move_tables(self, place: Place, staged: str, before: dict[int, int]) -> list[tuple[str, Any, Any]]:
        """Files get their names, in the order of ranges; what each holds is read from it again."""
        moved: list[tuple[str, Any]] = []
        tables: dict[str, dict[int, str]] = {}
        for folder in place.names(staged):
            if not folder.startswith("table="):
                continue
            for file in place.names(f"{staged}/{folder}"):
                found = re.match(r"part-(\d+)-", file)
                if found:
                    tables.setdefault(folder[6:], {})[int(found.group(1))] = f"{staged}/{folder}/{file}"
        for table, files in sorted(tables.items()):
            whole = table == "perturbation.csv"  # is the same in all ranges
            if not whole and sorted(files) != sorted(before):
                raise SystemError_(f"{len(files)} files of {table} were written for {len(before)} ranges")
            for i, number in enumerate(sorted(files)):
                if whole and i > 0:
                    break
                name = table if whole else f"{table[:-4]}-{i + 1:05d}.csv"
                place.move(files[number], name)
                moved.append((name, None if whole else self._ranges[i]))
        facts = {row["path"].rsplit("/", 1)[1]: row for row in hash_files(self._spark, [place.url(name) for name, _ in moved])}
        listed = []
        for name, row in moved:
            found_facts = facts[name]
            table = re.sub(r"-\d{5}\.csv$", ".csv", name)
            if row is not None and found_facts["rows"] != json.loads(row["rows"])[table]:
                raise SystemError_(f"{name} does not hold what was written: {found_facts['rows']:,} rows")
            listed.append((name, found_facts, row))
        return listed

    def _finish(self, place: Place, listed: list[tuple[str, Any, Any]]) -> None:
        files = tuple(
            (
                name.encode(),
                facts["rows"],
                facts["classes"] if row is not None else 0,
                row is not None,
                facts["bytes"],
                bytes.fromhex(facts["sha256"]),
            )
            for name, facts, row in listed
        )
        folder = os.path.join(self._folder, "release")
        os.mkdir(folder, 0o700)
        try:
            self._recipe.finish(
                tuple(bytes(row["sums"]) for row in self._ranges),
                len(self._groups),
                self._marks,
                self._suppressed,
                files,
                os.fsencode(folder),
            )
        except _core.CoreError as error:
            raise_error(error, {})
        for where, _, names in os.walk(folder):
            for name in names:
                path = os.path.join(where, name)
                with open(path, "rb") as file:
                    place.write(os.path.relpath(path, folder), file.read())


def hash_files(spark: Any, urls: list[str]) -> list[Any]:
    """What the files hold, found in executors: path, bytes, rows, classes, sha256."""
    found: list[Any] = (
        spark.read.format("binaryFile").load(urls).select("path", "content").mapInArrow(_tasks.hashes, _ddl(_tasks.HASHED)).collect()
    )
    return found


def _free_name(name: str, taken: list[str]) -> str:
    """A name that no column has, whatever Spark thinks of case."""
    while name.lower() in {other.lower() for other in taken}:
        name += "_"
    return name


def _quoted(name: str) -> str:
    return "`" + name.replace("`", "``") + "`"


def _ddl(fields: tuple[tuple[str, str], ...]) -> str:
    return ", ".join(f"`{name}` {kind}" for name, kind in fields)

