"""Folders for a while, among Spark's own local files: whoever removes those of an application removes these, too."""

from __future__ import annotations

import contextlib
import glob
import os
import re
import tempfile
from collections.abc import Iterator

from .. import _folder

_UUID = re.compile(r"[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}")


@contextlib.contextmanager
def scratch() -> Iterator[str]:
    """A folder that only its owner can read, in an executor or on the driver.

    It goes at the end of the task or call. A process that is killed gives up its lock: then it goes when the next one asks
    for a folder, and else with the application (docs/spark.md).
    """
    place = _place()
    folder = _folder.make(place, _UUID.sub("*", glob.escape(place)))
    try:
        yield folder
    finally:
        _folder.remove(folder)


def _place() -> str:
    """Of the local folders of this executor, or of the driver, the one with the most room."""
    from pyspark import SparkFiles, TaskContext

    if TaskContext.get() is None:
        found = [SparkFiles.getRootDirectory()]
    else:
        found = os.environ.get("SPARK_LOCAL_DIRS", "").split(",")
    return max(filter(_is_usable, found), key=_room, default="") or tempfile.gettempdir()


def _is_usable(place: str) -> bool:
    return os.path.isdir(place) and os.access(place, os.W_OK | os.X_OK)


def _room(place: str) -> int:
    facts = os.statvfs(place)
    return facts.f_bavail * facts.f_frsize
