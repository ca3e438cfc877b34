"""The main job on a cluster: plan, deal, make parts, cut, join, write, verify, rename; or all at once (_whole)."""

from __future__ import annotations

import contextlib
import json
import os
import re
import secrets
import uuid
from typing import Any

from .. import _core
from .._errors import InputError, SystemError_, raise_error
from .._policy import PolicyLike, policy_of
from . import _tasks
from ._deal import addresses
from ._failures import insist, spark_errors
from ._folder import Place, check_target
from ._frames import ddl, hash_files, texts
from ._plan import Plan
from ._policy import CarriedPolicy
from ._release import SparkRelease
from ._scratch import scratch
from ._verify import PROBABILITIES, TABLES, _Verifying
from ._whole import WholeJob


@spark_errors()
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
        policy: a Policy, a path, or a mapping. What cannot be done in parts (covey.methods()) is made by one executor,
            which holds all rows; a CoveyWarning says so, with the reason.
        target: any path that Spark writes to.
        rows_per_part: rows that are anonymized together, about; None: 1,000,000. InputError where nothing is done in
            parts.
        seed: makes what is random repeatable, for tests: the manifest says so.
        format: of the tables' files: "csv", or "parquet", where each cell is a text as in the CSV file. Everything
            of this package takes both; the C command alone reads CSV.
        force: replace a release that is there and holds nothing else.

    Raises:
        Infeasible, InputError, SystemError_: as covey.anonymize(). Whatever is raised, nothing half-written stays.

    Source: docs/design/spark.md.
    """
    if format not in ("csv", "parquet"):
        raise InputError(f'format must be "csv" or "parquet", not {format!r}')
    _check_number("rows_per_part", rows_per_part, 1)
    _check_number("seed", seed, 0)
    spark = getattr(df, "sparkSession", None)
    if spark is None:
        raise InputError(f"{type(df).__name__} is no DataFrame of Spark: covey.anonymize takes paths and other tables")
    place = Place(spark, target)
    check_target(place, force)
    with scratch() as folder:
        carried = CarriedPolicy(df, policy_of(policy, {}), folder)
        job = _job(df, carried, rows_per_part, seed, format)
        beside = Place(spark, f"{place.parent}/.{place.name}.covey-{uuid.uuid4().hex}")
        try:
            with carried.in_words(), spark_errors():
                job.run(beside)
                job.check(spark, beside)
            check_target(place, force)
            beside.make_usual()
            beside.replace(place, Place(spark, f"{beside.path}.old"))
        finally:
            with contextlib.suppress(Exception):  # a context that has gone keeps nothing, and what is written goes in any case
                job.close()
            if beside.exists():
                beside.remove()
    return SparkRelease(spark, place.path)


def _check_number(name: str, number: Any, least: int) -> None:
    if number is not None and (not isinstance(number, int) or isinstance(number, bool) or not least <= number < 1 << 64):
        raise InputError(f"{name} must be a whole number from {least} to 18446744073709551615, not {number!r}", parameter=name)


def _job(df: Any, policy: CarriedPolicy, rows_per_part: int | None, seed: int | None, format: str) -> _PartsJob | WholeJob:
    why = policy.not_in_parts
    if why is None:
        return _PartsJob(df, policy, 1_000_000 if rows_per_part is None else min(rows_per_part, 1 << 32), seed, format)
    if rows_per_part is not None:
        raise InputError(f"rows_per_part: {why}")
    if format != "csv":
        raise InputError(f'format="{format}" is for what is done in parts: {why}')
    return WholeJob(df, policy, seed)


class _PartsJob:
    """One call of anonymize(): what it keeps while it lasts."""

    def __init__(self, df: Any, policy: CarriedPolicy, rows_per_part: int, seed: int | None, format: str) -> None:
        self._df = df
        self._spark = df.sparkSession
        self._policy = policy
        self._rows_per_part = rows_per_part
        self._ending = f".{format}"
        self._random: bytes | int = secrets.token_bytes(32) if seed is None else seed
        self._kept: list[Any] = []  # what Spark keeps

    def close(self) -> None:
        for frame in self._kept:
            frame.unpersist()

    def _keep(self, frame: Any) -> Any:
        from pyspark import StorageLevel

        self._kept.append(frame.persist(StorageLevel.DISK_ONLY))
        return self._kept[-1]

    def run(self, place: Place) -> None:
        self._plan = Plan(self._df, self._policy, self._rows_per_part)
        self._make()
        self._join()
        place.make_private()
        self._write(place)

    def check(self, spark: Any, place: Place) -> None:
        """Verifies what was written; the suppressed rows were judged by the counters, before."""
        verdict = _Verifying(spark, place.path, is_suppressed_judged=True).run()
        if not verdict.holds:
            raise SystemError_(f"the written release failed its verification and was removed: {verdict.problems[:1]}")

    # ---- parts ----

    def _make(self) -> None:
        dealt = self._keep(self._plan.rows.mapInArrow(_tasks.deal(self._plan.files, self._policy.columns), ddl(_tasks.DEALT)))
        known: dict[tuple[int, int], Any] = {}
        self._made: list[tuple[Any, list[tuple[int, int]]]] = []
        while True:
            groups, wanted = self._walk(known)
            if not wanted:
                break
            frame = self._keep(self._make_groups(dealt, wanted))
            told = frame.select("first", "last", "status", "facts")
            for row in insist(lambda: list(told.toLocalIterator())):
                facts = json.loads(row.facts)
                if row.status == "infeasible":
                    known[row.first, row.last] = _core.CoreError(*facts)
                else:
                    known[row.first, row.last] = facts
            for group in wanted:
                known.setdefault(group, None)  # no row is in it
            if not self._made:
                self._check_dealt(dealt)
            self._made.append((frame, wanted))
        self._groups = [group for group in groups if known[group] is not None]
        self._facts = [known[group] for group in self._groups]
        self._check_rows()

    def _walk(self, known: dict[tuple[int, int], Any]) -> tuple[list[tuple[int, int]], list[tuple[int, int]]]:
        """The groups of parts that are made in the end, as `covey anonymize --memory-limit` finds them, as far as is
        known; and those that are to be tried next, on the chance that they can be kept."""
        groups: list[tuple[int, int]] = []
        wanted: list[tuple[int, int]] = []
        first, n = 1, self._plan.n_parts
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
        place_of = [-1] * (self._plan.n_parts + 1)
        for i, group in enumerate(groups):
            for part in range(group[0], group[1] + 1):
                place_of[part] = address[i]
        places = F.array(*[F.lit(place) for place in place_of])
        return (
            dealt.withColumn("address", F.element_at(places, F.col("part") + 1))
            .where("address >= 0")
            .repartition(len(groups), "address")
            .mapInArrow(_tasks.make(self._plan.files, group_of, self._random), ddl(_tasks.MADE))
        )

    def _check_dealt(self, dealt: Any) -> None:
        """Counting and dealing compute the DataFrame twice: were they the same rows, as the columns' sums say?"""
        sums = tuple(bytes(row["rows"]) for row in dealt.where("part = 0").select("rows").collect())
        column = self._plan.recipe.changed(sums)
        if column is not None:
            raise InputError(
                f'column "{column}": other values were dealt than were counted: the DataFrame gives other rows each time; persist() it'
            )

    def _check_rows(self) -> None:
        rows = sum(facts["rows"] for facts in self._facts)
        if rows != self._plan.n_rows:
            raise InputError(
                f"{self._plan.n_rows:,} rows were counted, but {rows:,} were dealt: the DataFrame gives other rows each time; persist() it"
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
        if self._plan.recipe.is_one_range(self._marks):
            return []
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
            cut = frame.select("first", "content").mapInArrow(_tasks.cut(self._plan.files, splitters, address), ddl(_tasks.PIECES))
            pieces = cut if pieces is None else pieces.union(cut)
        self._pieces = self._keep(pieces.repartition(len(address), "address"))
        counted = self._pieces.mapInArrow(_tasks.count(self._plan.files, self._marks, self._suppressed), ddl(_tasks.COUNTED))
        self._ranges = sorted(insist(counted.collect), key=lambda row: row["range"])

    # ---- files ----

    def _write(self, place: Place) -> None:
        before: dict[int, int] = {}
        n = 0
        for row in self._ranges:
            before[row["range"]] = n
            n += row["classes"]
        staged = "_tables"
        known = self._plan.files, self._marks, self._suppressed, before
        written = self._pieces.mapInArrow(_tasks.write(*known), ddl(_tasks.WRITTEN))
        if self._ending == ".csv":
            lines = written.write.mode("overwrite").option("partitionOverwriteMode", "static").option("compression", "none").partitionBy("table")
            insist(lambda: lines.text(place.url(staged)))
        else:
            self._write_cells(written, known, place, staged)
        listed = self._move_tables(place, staged, before)
        place.remove(staged)
        self._finish(place, listed)

    def _write_cells(self, written: Any, known: tuple[dict[str, bytes], bytes | None, int, dict[int, int]], place: Place, staged: str) -> None:
        """Each table as Parquet files, but for the probabilities, which are no table of rows."""
        for table, (_, header) in json.loads(self._ranges[0]["rows"]).items():
            url = place.url(f"{staged}/table={table}")
            if table in PROBABILITIES:
                written.where(f"`table` = '{table}'").limit(1).select("text").write.option("compression", "none").text(url)
            else:
                cells = self._pieces.mapInArrow(_tasks.write_cells(*known, table), texts(header))
                files = cells.write.mode("overwrite").option("maxRecordsPerFile", 0)
                insist(lambda: files.parquet(url))

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
        for table, files in sorted(tables.items(), key=lambda item: TABLES.index(item[0])):
            whole = table in PROBABILITIES
            if not whole and sorted(files) != sorted(before):
                raise SystemError_(f"{len(files)} files of {table} were written for {len(before)} ranges")
            for i, number in enumerate(sorted(files)):
                if whole and i > 0:
                    break
                name = table if whole else f"{table[:-4]}-{i + 1:05d}{self._ending}"
                place.move(files[number], name)
                moved.append((name, None if whole else self._ranges[i]))
        facts = {row["path"].rsplit("/", 1)[1]: row for row in hash_files(self._spark, [place.pattern(name) for name, _ in moved])}
        listed = []
        for name, row in moved:
            found_facts = facts[name]
            table = re.sub(r"-\d{5}\.(csv|parquet)$", ".csv", name)
            if row is not None and found_facts["rows"] != json.loads(row["rows"])[table][0]:
                raise SystemError_(f"{name} does not hold what was written: {found_facts['rows']:,} rows")
            listed.append((name, found_facts, row))
        return listed

    def _finish(self, place: Place, listed: list[tuple[str, Any, Any]]) -> None:
        files = tuple(
            (
                name.encode(),
                facts["rows"],
                row["classes"] if row is not None else 0,
                row is not None,
                facts["bytes"],
                bytes.fromhex(facts["sha256"]),
            )
            for name, facts, row in listed
        )
        folder = os.path.join(self._policy.folder, "release")
        os.mkdir(folder, 0o700)
        try:
            self._plan.recipe.finish(
                tuple(bytes(row["sums"]) for row in self._ranges),
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
