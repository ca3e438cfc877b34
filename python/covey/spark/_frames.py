"""Data frames of Spark: names, types, and what files hold."""

from __future__ import annotations

from typing import Any

from . import _tasks


def hash_files(spark: Any, urls: list[str]) -> list[Any]:
    """What the files hold, found in executors: path, bytes, rows, sha256."""
    found: list[Any] = (
        spark.read.format("binaryFile").load(urls).select("path", "content").mapInArrow(_tasks.hashes, ddl(_tasks.HASHED)).collect()
    )
    return found


def free_name(name: str, taken: list[str]) -> str:
    """A name that no column has, whatever Spark thinks of case."""
    while name.lower() in {other.lower() for other in taken}:
        name += "_"
    return name


def quoted(name: str) -> str:
    return "`" + name.replace("`", "``") + "`"


def texts(names: list[str]) -> Any:
    """The schema of a table of texts."""
    from pyspark.sql.types import StringType, StructField, StructType

    return StructType([StructField(name, StringType(), False) for name in names])


def ddl(fields: tuple[tuple[str, str], ...]) -> str:
    return ", ".join(f"`{name}` {kind}" for name, kind in fields)
