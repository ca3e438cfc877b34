"""Data frames of Spark: names, types, and what files hold."""

from __future__ import annotations

import json
from typing import Any

from . import _tasks


def hash_files(spark: Any, urls: list[str]) -> list[Any]:
    """What the files hold, found in executors: path, bytes, rows, sha256."""
    found: list[Any] = (
        spark.read.format("binaryFile").load(urls).select("path", "content").mapInArrow(_tasks.hashes, ddl(_tasks.HASHED)).collect()
    )
    return found


def read_csv(spark: Any, paths: list[str]) -> Any:
    """A table in CSV files as it is there: every cell a text, an empty one, too."""

    def read(some: list[str]) -> Any:
        return spark.read.format("binaryFile").load(some).select("content")

    header = json.loads(read(paths[:1]).mapInArrow(_tasks.header, ddl(_tasks.HEADER)).first()["names"])
    return read(paths).mapInArrow(_tasks.cells, texts(header))


def plain(df: Any) -> Any:
    """The same rows with columns that are called by their places, c0, c1 ..., since Spark reads more into names than they
    say (case, dots, backticks), and with texts that are equal only if they are the same."""
    from pyspark.sql import functions as F

    frame = df.toDF(*[f"c{i}" for i in range(len(df.columns))])
    kinds = [field.dataType for field in frame.schema.fields]
    is_collated = [kind.typeName().startswith("string") and kind.simpleString() != "string" for kind in kinds]
    return frame.select(*[F.col(f"c{i}").cast("string").alias(f"c{i}") if is_it else F.col(f"c{i}") for i, is_it in enumerate(is_collated)])


def texts(names: list[str]) -> Any:
    """The schema of a table of texts."""
    from pyspark.sql.types import StringType, StructField, StructType

    return StructType([StructField(name, StringType(), False) for name in names])


def ddl(fields: tuple[tuple[str, str], ...]) -> str:
    return ", ".join(f"`{name}` {kind}" for name, kind in fields)
