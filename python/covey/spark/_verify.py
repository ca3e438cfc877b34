"""Proving a release again in executors: each file is whole classes, and is judged alone against the stated prior.

What no file tells alone is added up here: hashes, numbers of rows and classes, the counts of sensitive values, what was
achieved, and whether classes at the ends of neighbouring files stand in order.
"""

from __future__ import annotations

import contextlib
import csv
import hashlib
import io
import itertools
import json
import math
import os
import re
from collections import Counter
from collections.abc import Callable, Iterator
from fractions import Fraction
from typing import Any

from .. import _core, _parquet
from .._errors import InputError, raise_error
from .._release import Verdict
from . import _tasks
from ._deal import addresses
from ._failures import spark_errors
from ._folder import Place
from ._lines import Lines, lines_of
from ._scratch import scratch

WORDS = {"generalized": "class", "bucketized": "group", "perturbed": None}
TABLES = ("table.csv", "quasi.csv", "sensitive.csv", "help.csv", "perturbation.csv", "matrix.csv")  # as a manifest lists them
PROBABILITIES = ("perturbation.csv", "matrix.csv")  # no tables of rows, and the same for all ranges
_LARGEST_IS_WORST = {
    "t-closeness",
    "basic-beta-likeness",
    "enhanced-beta-likeness",
    "delta-disclosure",
    "alpha-k-anonymity",
    "recursive-cl-diversity",
}
_VERDICT = (("range", "int"), ("facts", "binary"))
_MOST_PROBLEMS = 50
_NO_HASH = "0" * 64  # of files that are written and read here alone
_MOST_SUPPRESSED = 5_000_000  # rows that the driver judges as a class


def write_piece(folder: str, manifest: dict[str, Any], others: dict[str, bytes], tables: dict[str, Lines], n_others: int) -> None:
    """Some whole classes as a release of their own, numbered from 1. n_others: rows that it says are elsewhere."""
    word = WORDS[manifest["form"]]
    rows = tables[rows_table(manifest)]
    own = {**manifest, "rows": rows.records + n_others, "published_rows": rows.records, "suppressed_rows": n_others}
    own["classes"] = rows.classes if word else 0
    own["files"] = []
    os.mkdir(os.path.join(folder, "hierarchies"))
    contents = {name: (lines.shifted(1 - rows.first) if word else lines).text for name, lines in tables.items()}
    for name, content in {**contents, **others}.items():
        n_rows = tables[name].records if name in tables else _listed(manifest, name)["rows"]
        own["files"].append({"name": name, "rows": n_rows, "bytes": len(content), "sha256": _NO_HASH})
        with open(os.path.join(folder, name), "wb") as file:
            file.write(content)
    with open(os.path.join(folder, "manifest.json"), "w", encoding="utf-8") as text:
        json.dump(own, text)


def rows_table(manifest: dict[str, Any]) -> str:
    """The table with a line for each row."""
    return "quasi.csv" if manifest["form"] == "bucketized" else "table.csv"


def _judge(manifest: dict[str, Any], others: dict[str, bytes], tables: dict[str, Lines]) -> tuple[Any, ...]:
    """The verdict on some whole classes."""
    rows = tables[rows_table(manifest)].records
    with scratch() as folder:
        write_piece(folder, manifest, others, tables, max(manifest["rows"] - rows, 0))
        return _core.verify_piece(os.fsencode(folder))


def _listed(manifest: dict[str, Any], name: str) -> dict[str, Any]:
    found: dict[str, Any] = next(file for file in manifest["files"] if file["name"] == name)
    return found


def _count_values(manifest: dict[str, Any], tables: dict[str, Lines]) -> dict[str, dict[str, int]]:
    """How often each value of a sensitive column is published."""
    import pyarrow

    is_counted = manifest["form"] == "bucketized"
    text = tables["sensitive.csv" if is_counted else "table.csv"].text
    header = _parquet.header_of(text)
    names = [name for name in manifest.get("prior", {}) if name in header]
    if not names:
        return {}
    places = [header.index(name) for name in names]
    *columns, weights = _parquet.from_csv(text, [*places, len(header) - 1]).columns
    found = {}
    for name, column in zip(names, columns):
        if is_counted:
            weighted = pyarrow.table({"value": column, "n": weights.cast(pyarrow.int64())})
            values, counts = weighted.group_by("value").aggregate([("n", "sum")]).columns
        else:
            values, counts = column.value_counts().flatten()
        found[name] = {value or "null": n for value, n in zip(values.to_pylist(), counts.to_pylist())}
    return found


def _ends(tables: dict[str, Lines]) -> list[dict[str, list[str]]]:
    """Header and lines of the first and of the last class, which the neighbouring files are compared with."""
    firsts = {name: [lines.header, lines.first_class] for name, lines in tables.items()}
    lasts = {name: [lines.header, lines.last_class] for name, lines in tables.items()}
    return [{name: [text.decode("latin-1") for text in texts] for name, texts in end.items()} for end in (firsts, lasts)]


def _number(figure: Any) -> Fraction | float:
    """As one that is compared exactly. nan: it is none."""
    try:
        return figure if isinstance(figure, float) else Fraction(str(figure))
    except ValueError:
        return math.inf if figure == "inf" else math.nan


def _is_figure(said: Any, found: Any) -> bool:
    """Does the manifest say what was found? Fractions and whole numbers are exact."""
    number = _number(found)
    if isinstance(number, float) and math.isinf(number):
        return said is None or said == "inf"
    if isinstance(said, bool) or not isinstance(said, (int, float, str)):
        return False
    if isinstance(found, float) and not isinstance(said, str):
        return abs(said - found) <= 1e-9 * max(abs(said), abs(found))
    return _number(said) == number


def _task(
    manifest: dict[str, Any], others: dict[str, bytes], range_of: dict[str, int], table_of: dict[str, str]
) -> Callable[[Iterator[Any]], Iterator[Any]]:
    def task(batches: Iterator[Any]) -> Iterator[Any]:
        for number, contents in _tasks.by_range(batches, range_of):
            try:
                is_numbered = WORDS[manifest["form"]] is not None
                texts = {table_of[name]: _tasks.text_of(name, content) for name, content in contents.items()}
                lines = {table: lines_of(text, is_numbered) for table, text in texts.items()}
                facts = _facts(manifest, others, lines)
            except Exception as error:
                raise _tasks.failing(error) from None
            facts["files"] = {
                name: {
                    "sha256": hashlib.sha256(content).hexdigest(),
                    "bytes": len(content),
                    "rows": lines[table_of[name]].records,
                    "classes": lines[table_of[name]].classes if is_numbered else 0,
                }
                for name, content in contents.items()
            }
            yield _tasks._batch({"range": [number], "facts": [json.dumps(facts).encode()]}, _tasks._schema(*_VERDICT))

    return task


def _facts(manifest: dict[str, Any], others: dict[str, bytes], tables: dict[str, Lines]) -> dict[str, Any]:
    import pyarrow

    facts: dict[str, Any] = {"holds": False, "promises": [], "problems": ["a file has no rows"], "classes": {}, "counts": {}, "ends": []}
    if any(lines.records == 0 for lines in tables.values()):
        return facts
    holds, promises, problems = _judge(manifest, others, tables)
    facts.update(holds=holds, promises=promises, problems=problems, ends=_ends(tables))
    with contextlib.suppress(pyarrow.ArrowException):  # a cell is no number: the verifier has said so
        facts["counts"] = _count_values(manifest, tables)
    facts["classes"] = {name: [lines.first, lines.last] for name, lines in tables.items()}
    return facts


@spark_errors()
def verify(spark: Any, path: str | os.PathLike[str]) -> Verdict:
    """Proves the promises of a release again, in executors, file by file, and adds up. True if it holds.

    Losses (`utility`) are not computed again; `covey verify` does that on one machine.

    Raises InputError for what is no release, and for releases that are not verified file by file: of the forms sliced
    and transformed, with files of tables that are not cut at the same groups, or with more than 5,000,000 suppressed rows whose
    values follow from a prior.
    """
    return _Verifying(spark, path).run()


class _Verifying:
    def __init__(self, spark: Any, path: str | os.PathLike[str], is_suppressed_judged: bool = False) -> None:
        self._spark = spark
        self._is_suppressed_judged = is_suppressed_judged
        self._place = Place(spark, path)
        self.problems: list[str] = []
        try:
            self.manifest: dict[str, Any] = json.loads(self._place.read("manifest.json"))
            self._files = {file["name"]: file for file in self.manifest["files"]}
            self._form = self.manifest["form"]
        except Exception as error:
            raise InputError(f"{self._place.path}: is no release: manifest.json cannot be read", file=self._place.path) from error
        self._check_manifest()
        if self._form not in WORDS:
            raise InputError(f"a release of the form {self._form} is judged as a whole, not file by file: covey verify does that")

    def _check_manifest(self) -> None:
        """Raises InputError where the manifest cannot be read as one."""
        listed = [{**file, "name": _parquet.table_of(file["name"])} for file in self.manifest["files"]]
        with scratch() as folder:
            with open(os.path.join(folder, "manifest.json"), "w", encoding="utf-8") as file:
                json.dump({**self.manifest, "files": listed}, file)
            try:
                _core.verify_piece(os.fsencode(folder))
            except _core.CoreError as error:
                raise_error(error, {folder: self._place.path})

    def run(self) -> Verdict:
        self.compare_folder()
        self._compare_rows()
        if self.problems:
            return self._verdict([])
        self.read_others()
        found = self._judge_files()
        self._compare_counts(found)
        if not self.problems:
            self._add_up(found)
        return self._verdict(found)

    def _say(self, problem: str) -> None:
        if len(self.problems) < _MOST_PROBLEMS and problem not in self.problems:
            self.problems.append(problem)

    def compare_folder(self) -> None:
        """The files are just the listed ones, and those of a table follow each other."""
        there = set(self._place.files()) - {"manifest.json"}
        for name in sorted(set(self._files) - there):
            self._say(f"{name}: the file is missing")
        for name in sorted(there - set(self._files)):
            self._say(f"{name} is in the folder, but not in manifest.json")
        self.range_of: dict[str, int] = {}
        self.table_of: dict[str, str] = {}
        for name in self._files:
            if "/" in name or name in PROBABILITIES:
                continue
            part = re.fullmatch(r"(.*)-(\d{5})\.(csv|parquet)", name)
            self.range_of[name] = int(part.group(2)) - 1 if part else 0
            self.table_of[name] = f"{part.group(1)}.csv" if part else name
        for table in set(self.table_of.values()):
            numbers = [self.range_of[name] for name in self.range_of if self.table_of[name] == table]
            if numbers != list(range(len(numbers))):
                self._say(f"manifest.json: the files of {table} are not listed one after another from 1")
        cuts: dict[str, list[Any]] = {}
        for name, table in self.table_of.items():
            cuts.setdefault(table, []).append(self._files[name].get("classes"))
        if len({tuple(cut) for cut in cuts.values()}) > 1:
            raise InputError(f"{self._place.path}: its tables are cut at different {WORDS[self._form]}s: ask the command, which reads them whole")

    def read_others(self) -> None:
        """Hierarchies and probabilities, which every piece is judged by."""
        self.others = {name: self._place.read(name) for name in self._files if name not in self.range_of}
        for name, content in self.others.items():
            self._compare_file(name, {"sha256": hashlib.sha256(content).hexdigest(), "bytes": len(content)})

    def in_executors(self, task: Callable[[Iterator[Any]], Iterator[Any]]) -> list[Any]:
        """What a task says of each range of classes, in their order: each goes to one partition with all its files."""
        from pyspark.sql import functions as F

        n = max(self.range_of.values()) + 1
        address = addresses(n)
        read = self._spark.read.format("binaryFile").load([self._place.pattern(name) for name in self.range_of])
        read = read.select("path", "content")
        number = F.coalesce(F.regexp_extract("path", r"-(\d{5})\.(csv|parquet)$", 1).try_cast("int"), F.lit(1))
        places = F.array(*[F.lit(place) for place in address])
        spread = read.repartition(n, F.element_at(places, number))
        rows = spread.mapInArrow(task, "`range` int, facts binary").collect()
        return [row["facts"] for row in sorted(rows, key=lambda row: row["range"])]

    def _judge_files(self) -> list[dict[str, Any]]:
        task = _task(self.manifest, self.others, self.range_of, self.table_of)
        found = [json.loads(facts) for facts in self.in_executors(task)]
        for facts in found:
            for name, file_facts in facts["files"].items():
                self._compare_file(name, file_facts)
            names = ", ".join(sorted(facts["files"]))
            for problem in facts["problems"]:
                self._say(f"{names}, its classes numbered from 1: {problem}")
        return found

    def _compare_file(self, name: str, facts: dict[str, Any]) -> None:
        listed = self._files[name]
        if facts["sha256"] != listed["sha256"]:
            self._say(f"{name}: its SHA-256 is not the one in manifest.json: the file was changed after it was published")
        for word, found in facts.items():
            if word in listed and word != "sha256" and found != listed[word]:
                self._say(f"{name} has {found} {word}, manifest.json says {listed[word]}")

    def _compare_rows(self) -> None:
        manifest = self.manifest
        table_of_rows = rows_table(manifest)
        published = sum(self._files[name]["rows"] for name, table in self.table_of.items() if table == table_of_rows)
        if published != manifest["published_rows"]:
            self._say(f"published_rows is {manifest['published_rows']} in manifest.json, but the files have {published}")
        if manifest["rows"] != published + manifest["suppressed_rows"]:
            self._say(f"rows is {manifest['rows']} in manifest.json, but published and suppressed rows make another number")

    def _add_up(self, found: list[dict[str, Any]]) -> None:
        if WORDS[self._form]:
            self._compare_numbers(found)
        self._compare_achieved(found)
        for number in range(1, len(found)):
            self._compare_neighbours(number, found[number - 1]["ends"][1], found[number]["ends"][0])

    def _compare_numbers(self, found: list[dict[str, Any]]) -> None:
        last: dict[str, int] = {}
        for number, facts in enumerate(found, 1):
            for table, (first, end) in facts["classes"].items():
                if first != last.get(table, 0) + 1:
                    self._say(f"file {number} of {table} begins with {WORDS[self._form]} {first}, behind {last.get(table, 0)}")
                last[table] = end
        for table, end in last.items():
            if end != self.manifest["classes"]:
                self._say(f"classes is {self.manifest['classes']} in manifest.json, but {table} has {end}")

    def _compare_counts(self, found: list[dict[str, Any]]) -> None:
        """No value is published more often than the prior counts it; what is left is the suppressed rows'."""
        suppressed = self.manifest["suppressed_rows"]
        for name, prior in self.manifest.get("prior", {}).items():
            counts: Counter[str] = Counter()
            for facts in found:
                counts.update(facts["counts"].get(name, {}))
            if sum(prior.values()) != self.manifest["rows"]:
                self._say(f"the prior of {name} counts {sum(prior.values())} rows, not {self.manifest['rows']}")
            if self._form == "perturbed":
                continue  # values are at random in part
            if any(n > prior.get(value, 0) for value, n in counts.items()) and self._is_spelled_alike(name):
                self._say(f"the prior of {name} counts a value less often than it is published")
        if suppressed and self.manifest.get("prior") and self._form != "perturbed" and not self._is_suppressed_judged:
            self._judge_suppressed(found)

    def _judge_suppressed(self, found: list[dict[str, Any]]) -> None:
        """Suppressed rows have the sensitive values that the prior has more than the tables: taken as one class they keep
        the promises, too."""
        suppressed, prior = self.manifest["suppressed_rows"], self.manifest["prior"]
        if not found or not found[0]["ends"]:
            return
        if self._form != "generalized" or suppressed > _MOST_SUPPRESSED:
            raise InputError(f"{self._place.path}: {suppressed:,} rows are suppressed: ask covey verify, which judges them")
        first_lines = "".join(found[0]["ends"][0]["table.csv"]).encode("latin-1").decode()
        header, line = itertools.islice(csv.reader(io.StringIO(first_lines, newline="")), 2)
        columns: dict[str, Iterator[str]] = {name: itertools.repeat(cell) for name, cell in zip(header, line)}
        for name, counts in prior.items():
            published: Counter[str] = Counter()
            for facts in found:
                published.update(facts["counts"].get(name, {}))
            left = {value: n - published.get(value, 0) for value, n in counts.items()}
            if min(left.values()) < 0 or sum(left.values()) != suppressed:
                if self.problems:
                    return
                raise InputError(f"{self._place.path}: values of {name} are spelled in several ways: ask covey verify")
            columns[name] = itertools.chain.from_iterable(
                itertools.repeat("" if value == "null" else value, n) for value, n in left.items()
            )
        text = io.StringIO()
        writer = csv.writer(text, lineterminator="\n")
        writer.writerow(header)
        writer.writerows(itertools.islice(zip(*(columns[name] for name in header)), suppressed))
        _, promises, _ = _judge(self.manifest, self.others, {"table.csv": lines_of(text.getvalue().encode(), True)})
        for model, attribute, _, holds, *_ in promises:
            if not holds and (not attribute or attribute in prior):
                of = f" of {attribute}" if attribute else ""
                self._say(f"the {suppressed:,} suppressed rows, whose sensitive values follow from the prior, break {model}{of}")

    def _is_spelled_alike(self, name: str) -> bool:
        return any(column["name"] == name and column["type"] in ("text", "integer") for column in self.manifest["columns"])

    def _compare_achieved(self, found: list[dict[str, Any]]) -> None:
        """The worst of all files is what the manifest says."""
        for i, stated in enumerate(self.manifest["promises"]):
            worst = max if stated["model"] in _LARGEST_IS_WORST else min
            *_, text, e, value = zip(*(facts["promises"][i] for facts in found))
            said = stated.get("achieved")
            figures = [(said, value if isinstance(said, float) else text), (stated.get("achieved_value"), value)]
            if any(e):
                k_and_e = [said.get(key) if isinstance(said, dict) else None for key in ("k", "e")]
                figures[:1] = zip(k_and_e, (text, e))
            for said, each in figures:
                figure = worst(each, key=_number)
                if not _is_figure(said, figure):
                    self._say(f"manifest.json: what {stated['model']} has achieved is not what it says, but {figure}")

    def _compare_neighbours(self, number: int, before: dict[str, list[str]], behind: dict[str, list[str]]) -> None:
        tables = {
            name: lines_of("".join((*before[name], *behind[name][1:])).encode("latin-1"), WORDS[self._form] is not None)
            for name in before
            if name in behind
        }
        _, _, problems = _judge(self.manifest, self.others, tables)
        for problem in problems:
            self._say(f"where file {number} ends and file {number + 1} begins: {problem}")

    def _verdict(self, found: list[dict[str, Any]]) -> Verdict:
        promises = []
        for i, stated in enumerate(self.manifest["promises"]):
            own = {key: stated[key] for key in ("model", "attribute", "threshold", "achieved") if key in stated}
            kept = bool(found) and all(len(facts["promises"]) > i and facts["promises"][i][3] for facts in found)
            promises.append({**own, "holds": kept})
            if found and not kept:
                self._say(f"{stated['model']} is broken")
        return Verdict(not self.problems and all(p["holds"] for p in promises), None, promises, self.problems)
