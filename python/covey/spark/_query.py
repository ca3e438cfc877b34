"""Questions to a release on a cluster: covey's own bounds on each file, in executors, added up.

COUNT and SUM of all rows are those of the files together, class by class, and so are their bounds and estimates; the
estimates' errors are of independent rows, so their squares add up. What does not add up is refused.
"""

from __future__ import annotations

import json
import math
import os
import re
import tempfile
from collections.abc import Callable, Iterator
from typing import Any

from .. import _core
from .._errors import InputError
from .._release import Answer
from . import _tasks
from ._deal import addresses
from ._failures import spark_errors
from ._verify import _WORDS, _records, _Verifying, write_piece

_ALLOWED = re.compile(r"\s*(COUNT\s*\(\s*\*\s*\)|SUM\s*\(.*\))\s*", re.I | re.S)


def _check(sql: str) -> None:
    found = re.match(r"\s*SELECT\s+(.*?)(\s+FROM\s+\w+)?(\s+WHERE\b.*)?$", sql, re.I | re.S)
    if not found:
        raise InputError(f"this is no query: {sql}")
    if re.search(r"\bGROUP\s+BY\b", sql, re.I):
        raise InputError("GROUP BY is not asked file by file: ask for each group with WHERE, or use covey query")
    for item in found.group(1).split(","):
        if not _ALLOWED.fullmatch(item):
            raise InputError(
                f"{item.strip()} does not add up over the files of a release: ask for COUNT(*) and SUM, or use covey query"
            )


def _task(
    manifest: dict[str, Any], others: dict[str, bytes], table_of: dict[str, str], range_of: dict[str, int], sql: str
) -> Callable[[Iterator[Any]], Iterator[Any]]:
    def task(batches: Iterator[Any]) -> Iterator[Any]:
        for number, contents in _tasks.by_range(batches, range_of):
            tables = {table_of[name]: _records(content) for name, content in contents.items()}
            with tempfile.TemporaryDirectory(prefix="covey-") as folder:
                try:
                    write_piece(folder, manifest, others, tables, 0)
                    words = (b"query", b"--json", b"--threads=1", b"--", os.fsencode(folder), sql.encode())
                    answer = _core.run(words, None, None)[1].decode()
                except Exception as error:
                    raise _tasks.failing(error) from None
            yield _tasks._batch({"range": [number], "facts": [answer]}, _tasks._schema(("range", "int"), ("facts", "string")))

    return task


def _add(answers: list[dict[str, Any]]) -> dict[str, Any]:
    """One aggregate of all files. Where nothing can be selected a file has no SUM."""
    known = [answer for answer in answers if answer["lower"] is not None]
    added = {"aggregate": answers[0]["aggregate"], "lower": None, "upper": None, "estimate": None, "standard_error": None}
    if not known:
        return added
    added["lower"] = sum(answer["lower"] for answer in known)
    added["upper"] = sum(answer["upper"] for answer in known)
    if all(answer["estimate"] is not None for answer in known):
        added["estimate"] = math.fsum(answer["estimate"] for answer in known)
    if all(answer["standard_error"] is not None for answer in known):
        added["standard_error"] = math.sqrt(math.fsum(answer["standard_error"] ** 2 for answer in known))
    return added


def query(spark: Any, path: str, sql: str) -> Answer:
    """The bounds that `covey query` gives for COUNT(*) and SUM, found in executors from each file, and added up.

    Raises InputError for other aggregates, GROUP BY, perturbed releases (whose estimate is of all rows together) and
    releases with suppressed rows: `covey query` answers these.
    """
    from pyspark.sql import functions as F

    _check(sql)
    with spark_errors():
        release = _Verifying(spark, path)
        manifest = release._manifest
        if _WORDS[manifest["form"]] is None:
            raise InputError("the estimate of a perturbed release is of all rows together: covey query gives it")
        if manifest["suppressed_rows"]:
            raise InputError("rows are suppressed, each of which may be selected: covey query counts them")
        release._compare_folder()
        release._read_others()
        if release._problems:
            raise InputError(f"{path}: is not in order: {release._problems[0]}", file=path)
        n = max(release._range_of.values()) + 1
        address = F.array(*[F.lit(place) for place in addresses(n)])
        number = F.coalesce(F.regexp_extract("path", r"-(\d{5})\.csv$", 1).try_cast("int"), F.lit(1))
        read = spark.read.format("binaryFile").load([release._place.url(name) for name in release._range_of])
        spread = read.select("path", "content").repartition(n, F.element_at(address, number))
        task = _task(manifest, release._others, release._table_of, release._range_of, sql)
        rows = sorted(spread.mapInArrow(task, "`range` int, facts string").collect(), key=lambda row: row["range"])
        found = [json.loads(row["facts"]) for row in rows]
    answers = [_add([facts["answers"][i] for facts in found]) for i in range(len(found[0]["answers"]))]
    hits = {end: sum(facts["hits"][end] for facts in found) for end in ("lower", "upper")}
    return Answer({"answers": answers, "hits": hits})
