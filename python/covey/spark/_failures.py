"""What goes wrong on a cluster, said on the driver in a sentence: libcovey's errors as they are, others by their cause."""

from __future__ import annotations

import contextlib
import json
import re
from collections.abc import Callable, Iterator
from typing import TypeVar

from .. import _core
from .._errors import SystemError_, raise_error
from . import _tasks


@contextlib.contextmanager
def spark_errors() -> Iterator[None]:
    """What a task raised of covey's own is raised as on one machine, and what failed in Spark with its cause alone."""
    from py4j.protocol import Py4JError
    from pyspark.errors import PySparkException

    raised: _core.CoreError | None = None
    try:
        yield
    except (Py4JError, PySparkException) as error:
        found = re.search(f"{_tasks.MARK}(.*?){_tasks.MARK}", str(error), re.S)
        if not found:
            cause = cause_of(error)
            hint = ": install covey where each executor's Python (PYSPARK_PYTHON) finds it" if _ABSENT in cause else ""
            raise SystemError_(f"Spark could not do it: {cause}{hint}") from None
        fields = json.loads(found.group(1).replace("\\'", "'"))
        fields[3], fields[5] = int(fields[3] or 0), int(fields[5] or 0)
        raised = _core.CoreError(*fields)
    if raised is not None:
        raise_error(raised, {})


_ABSENT = "No module named 'covey'"
_Found = TypeVar("_Found")
_MOST_ATTEMPTS = 4  # as Spark tries a task


def insist(action: Callable[[], _Found]) -> _Found:
    """What an action gives that can be begun anew.

    If an executor is lost, what it had dealt is dealt again by others, to which the rows may come in another order. Spark
    4.1 and later sees other bytes, and gives up an action of which a part is done, since it cannot know that the bytes
    mean the same rows. Whether they do is looked at by sums.
    """
    from pyspark.errors import PySparkException
    from py4j.protocol import Py4JError

    for _ in range(_MOST_ATTEMPTS - 1):
        try:
            return action()
        except (Py4JError, PySparkException) as error:
            if "cannot rollback" not in str(error):
                raise
    return action()


_CAUSE = re.compile(r"^\s*(?:Caused by: )?((?:[a-z]\w*\.)*(?:[A-Z]\w*|\w+)(?:Error|Exception)\w*: .*)$", re.M)


def cause_of(error: BaseException) -> str:
    """The innermost of the errors that led to one: its class and what it says, without where in the code."""
    said = str(error)
    java = getattr(error, "java_exception", None) or getattr(error, "_origin", None)
    while java is not None and java.getCause() is not None:
        java = java.getCause()
    inner = java.toString() if java is not None else said
    found = _CAUSE.findall(inner) or _CAUSE.findall(said)
    return str(found[-1] if found else (inner.strip() or type(error).__name__).splitlines()[0])[:500]
