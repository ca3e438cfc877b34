"""Releases on a cluster's file system."""

from __future__ import annotations

import json
import os
from typing import Any

from .._errors import InputError
from .._release import Answer, Verdict
from ._failures import spark_errors
from ._folder import Place
from ._frames import read_csv
from ._query import query
from ._verify import verify


class SparkRelease:
    """A release whose tables are files of a cluster."""

    def __init__(self, spark: Any, path: str | os.PathLike[str]) -> None:
        self._spark = spark
        self._place = Place(spark, path)
        #: The folder that it is in.
        self.path = self._place.path
        self._manifest: dict[str, Any] | None = None

    @property
    def manifest(self) -> dict[str, Any]:
        """manifest.json: form, method, promises, columns, files, prior ... (docs/manifest.md)."""
        if self._manifest is None:
            try:
                self._manifest = json.loads(self._place.read("manifest.json"))
            except Exception as error:
                raise InputError(f"{self.path}: is no release: manifest.json cannot be read", file=self.path) from error
        return self._manifest

    @property
    def table(self) -> Any:
        """The rows as a DataFrame of texts: table, or of other forms the first of the tables."""
        return self.tables[next(iter(self.tables))]

    @property
    def tables(self) -> dict[str, Any]:
        """Every table as a DataFrame of texts."""
        import re

        found: dict[str, list[str]] = {}
        for file in self.manifest["files"]:
            name = file["name"]
            if "/" not in name:
                found.setdefault(re.sub(r"(-\d{5})?\.(csv|parquet)$", "", name), []).append(self._place.pattern(name))
        return {
            name: self._spark.read.parquet(*paths) if paths[0].endswith(".parquet") else read_csv(self._spark, paths)
            for name, paths in found.items()
        }

    def __repr__(self) -> str:
        promises = ", ".join(f"{p['model']} {p.get('threshold', '')}".strip() for p in self.manifest["promises"])
        return f"<covey.spark.SparkRelease {self.path!r}: {self.manifest['form']}, {promises}>"

    def verify(self) -> Verdict:
        """Proves the promises again, in executors."""
        return verify(self._spark, self.path)

    def query(self, sql: str) -> Answer:
        """Bounds and an estimate of aggregates, in Spark SQL."""
        return query(self._spark, self.path, sql)


@spark_errors()
def open(spark: Any, path: str | os.PathLike[str]) -> SparkRelease:
    """The release in a folder; InputError if there is none."""
    release = SparkRelease(spark, path)
    try:
        release.manifest["form"], release.manifest["promises"], [entry["name"] for entry in release.manifest["files"]]
    except (KeyError, TypeError) as error:
        raise InputError(f"{release.path}: is no release: manifest.json is not one ({error})", file=release.path) from error
    return release
