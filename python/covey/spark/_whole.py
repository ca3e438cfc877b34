"""Policies that are not kept part by part: one executor gets all rows, and makes the release as one machine does."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator
from typing import Any

from .._call import warn
from .._errors import InputError, SystemError_
from . import _tasks
from ._folder import Place
from ._frames import ddl, hash_files, plain
from ._policy import CarriedPolicy

ROWS_PER_FILE = 1_000_000
_MOST_FILES = 10_000
_STAGED = "_files"


class WholeJob:
    """A call of anonymize() whose release is made, and verified, in one task."""

    def __init__(self, df: Any, policy: CarriedPolicy, seed: int | None) -> None:
        self._df = df
        self._policy = policy
        self._seed = seed

    def run(self, place: Place) -> None:
        n_rows = self._df.count()
        if n_rows == 0:
            raise InputError("the DataFrame has no row: nothing to publish")
        warn(f"one executor makes this release, and holds all rows: {self._policy.not_in_parts}")
        n_files = min(-(-n_rows // ROWS_PER_FILE), _MOST_FILES)
        task = _tasks.make_whole(self._policy.files, self._policy.paths, self._df.columns, self._policy.yaml, n_files, self._seed)
        written = self._columns().repartition(1).mapInArrow(task, ddl(_tasks.FILES))
        place.make_private()
        written.write.option("compression", "none").partitionBy("number").text(place.url(_STAGED))
        self._move(place)

    def close(self) -> None:
        """Spark keeps nothing."""

    def _columns(self) -> Any:
        """All columns; nothing is in those that the policy does not speak of."""
        from pyspark.sql import functions as F

        wanted = {*self._policy.columns, *filter(self._policy.is_simple, set(_texts(self._policy.keys)) & set(self._df.columns))}
        empty = F.lit(None).cast("string")
        return plain(self._df).select(
            *[(F.col(f"c{i}") if name in wanted else empty).alias(f"c{i}") for i, name in enumerate(self._df.columns)]
        )

    def _move(self, place: Place) -> None:
        """Files get their names: the first tells of the others."""
        staged = [f"{_STAGED}/{folder}" for folder in place.names(_STAGED) if folder.startswith("number=")]
        path_of = {int(folder.rsplit("=", 1)[1]): f"{folder}/{_part(place.names(folder))}" for folder in staged}
        said = json.loads(place.read(path_of[0]))
        place.move(path_of[1], "manifest.json")
        names = [file["name"] for file in json.loads(place.read("manifest.json"))["files"]]
        if any("/" in name for name in names):
            place.make("hierarchies")
        for number, name in enumerate(names, 2):
            place.move(path_of[number], name)
        place.remove(_STAGED)
        for message in said:
            warn(message)

    def check(self, spark: Any, place: Place) -> None:
        """The executor has verified what it made; these are its files."""
        listed = {file["name"]: file["sha256"] for file in json.loads(place.read("manifest.json"))["files"]}
        tables = [name for name in listed if "/" not in name]
        found = {row["path"].rsplit("/", 1)[1]: row["sha256"] for row in hash_files(spark, [place.pattern(name) for name in tables])}
        found.update((name, hashlib.sha256(place.read(name)).hexdigest()) for name in listed if name not in tables)
        for name, sha256 in listed.items():
            if found[name] != sha256:
                raise SystemError_(f"{name} does not hold what was written")


def _part(names: list[str]) -> str:
    """What Spark has written beside check sums."""
    return next(name for name in names if name.startswith("part-"))


def _texts(keys: Any) -> Iterator[str]:
    """Every text in a policy: what may be the name of a column."""
    if isinstance(keys, dict):
        keys = [*keys, *keys.values()]
    if isinstance(keys, list):
        for item in keys:
            yield from _texts(item)
    elif isinstance(keys, str):
        yield keys
