"""Data frames of Spark: names, types, errors of tasks, and what files hold."""

from __future__ import annotations

import contextlib
import json
import re
from collections.abc import Iterator
from typing import Any

from .. import _core
from .._errors import raise_error
from . import _tasks


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


def hash_files(spark: Any, urls: list[str]) -> list[Any]:
    """What the files hold, found in executors: path, bytes, rows, classes, sha256."""
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


def ddl(fields: tuple[tuple[str, str], ...]) -> str:
    return ", ".join(f"`{name}` {kind}" for name, kind in fields)
