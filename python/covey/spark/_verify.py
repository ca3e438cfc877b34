"""Proving a release again in executors: each file is whole classes, and is judged alone against the stated prior.

What no file tells alone is added up here: hashes, numbers of rows and classes, the counts of sensitive values, what was
achieved, and whether classes at the ends of neighbouring files stand in order.
"""

from __future__ import annotations

import csv
import hashlib
import io
import itertools
import json
import os
import re
import tempfile
from collections import Counter
from collections.abc import Callable, Iterator
from typing import Any

from .. import _core
from .._errors import InputError
from .._release import Verdict
from . import _tasks
from ._deal import addresses
from ._failures import spark_errors
from ._folder import Place

WORDS = {"generalized": "class", "bucketized": "group", "perturbed": None}
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
_MOST_SUPPRESSED = 5_000_000  # rows that the driver judges as a class


def records_of(content: bytes) -> list[bytes]:
    """The records of a CSV text, with their line feeds."""
    if b'"' not in content:
        return content.splitlines(keepends=True) if b"\r" not in content else _split(content)
    return _split(content)


def _split(content: bytes) -> list[bytes]:
    records: list[bytes] = []
    begun = b""
    for line in content.split(b"\n"):
        begun += line + b"\n"
        if begun.count(b'"') % 2 == 0:
            records.append(begun)
            begun = b""
    if content.endswith(b"\n"):
        records.pop()
    return records


def number_of(record: bytes) -> int:
    digits = record.split(b",", 1)[0].strip(b'"\n')
    return int(digits) if digits.isdigit() else 0


def _renumbered(records: list[bytes], first: int) -> bytes:
    """Lines whose classes are numbered from 1."""
    out = [records[0]]
    for record in records[1:]:
        number, _, rest = record.partition(b",")
        digits = number.strip(b'"\n')
        if digits.isdigit() and number == digits:
            out.append(b"%d,%s" % (int(digits) - first + 1, rest))
        else:
            out.append(record)  # which the verifier complains about
    return b"".join(out)


def write_piece(
    folder: str, manifest: dict[str, Any], others: dict[str, bytes], tables: dict[str, list[bytes]], n_others: int
) -> None:
    """Some whole classes as a release of their own. n_others: rows that it says are elsewhere."""
    word = WORDS[manifest["form"]]
    rows_of = "quasi.csv" if word == "group" else "table.csv"
    first = number_of(tables[rows_of][1]) if word and len(tables[rows_of]) > 1 else 1
    n_rows = len(tables[rows_of]) - 1
    own = {**manifest, "rows": n_rows + n_others, "published_rows": n_rows, "suppressed_rows": n_others}
    own["classes"] = len({number_of(record) for record in tables[rows_of][1:]}) if word else 0
    own["files"] = []
    os.mkdir(os.path.join(folder, "hierarchies"))
    contents = {name: _renumbered(records, first) if word else b"".join(records) for name, records in tables.items()}
    for name, content in {**contents, **others}.items():
        rows = len(tables[name]) - 1 if name in tables else _listed(manifest, name)["rows"]
        digest = hashlib.sha256(content).hexdigest()
        own["files"].append({"name": name, "rows": rows, "bytes": len(content), "sha256": digest})
        with open(os.path.join(folder, name), "wb") as file:
            file.write(content)
    with open(os.path.join(folder, "manifest.json"), "w", encoding="utf-8") as text:
        json.dump(own, text)


def _judge(manifest: dict[str, Any], others: dict[str, bytes], tables: dict[str, list[bytes]]) -> tuple[Any, ...]:
    """The verdict on some whole classes."""
    rows = len(tables["quasi.csv" if WORDS[manifest["form"]] == "group" else "table.csv"]) - 1
    with tempfile.TemporaryDirectory(prefix="covey-") as folder:
        write_piece(folder, manifest, others, tables, manifest["rows"] - rows)
        return _core.verify_piece(os.fsencode(folder))


def _listed(manifest: dict[str, Any], name: str) -> dict[str, Any]:
    found: dict[str, Any] = next(file for file in manifest["files"] if file["name"] == name)
    return found


def _count_values(manifest: dict[str, Any], tables: dict[str, list[bytes]]) -> dict[str, dict[str, int]]:
    """How often each value of a sensitive column is published."""
    counted: dict[str, dict[str, int]] = {}
    table = "sensitive.csv" if manifest["form"] == "bucketized" else "table.csv"
    reader = csv.reader(io.StringIO(b"".join(tables[table]).decode("utf-8", "replace"), newline=""))
    header = next(reader)
    wanted = [(header.index(name), name) for name in manifest.get("prior", {}) if name in header]
    sums: dict[str, Counter[str]] = {name: Counter() for _, name in wanted}
    weight = header.index("count") if table == "sensitive.csv" else None
    for row in reader:
        for at, name in wanted:
            if at < len(row):
                sums[name][row[at] or "null"] += _count_of(row, weight)
    counted.update({name: dict(sums[name]) for _, name in wanted})
    return counted


def _count_of(row: list[str], weight: int | None) -> int:
    """How many rows a line stands for; 0 for what is no number, which the verifier complains about."""
    if weight is None:
        return 1
    return int(row[weight]) if weight < len(row) and row[weight].isdigit() else 0


def _ends(manifest: dict[str, Any], tables: dict[str, list[bytes]]) -> list[dict[str, list[str]]]:
    """The lines of the first and of the last class, which the neighbouring files are compared with."""
    ends = []
    for at in (0, -1):
        end: dict[str, list[str]] = {}
        for name, records in tables.items():
            if WORDS[manifest["form"]]:
                numbers = [number_of(record) for record in records[1:]]
                kept = [record for record, number in zip(records[1:], numbers) if number == numbers[at]]
            else:
                kept = [records[1:][at]]
            end[name] = [record.decode("latin-1") for record in (records[0], *kept)]
        ends.append(end)
    return ends


def _task(
    manifest: dict[str, Any], others: dict[str, bytes], range_of: dict[str, int], table_of: dict[str, str]
) -> Callable[[Iterator[Any]], Iterator[Any]]:
    def task(batches: Iterator[Any]) -> Iterator[Any]:
        for number, contents in _tasks.by_range(batches, range_of):
            try:
                texts = {name: _tasks.text_of(name, content) for name, content in contents.items()}
                facts = _facts(manifest, others, {table_of[name]: text for name, text in texts.items()})
            except Exception as error:
                raise _tasks.failing(error) from None
            facts["files"] = {
                name: [len(content), _tasks.count_lines(texts[name]) - 1, hashlib.sha256(content).hexdigest()]
                for name, content in contents.items()
            }
            yield _tasks._batch({"range": [number], "facts": [json.dumps(facts).encode()]}, _tasks._schema(*_VERDICT))

    return task


def _facts(manifest: dict[str, Any], others: dict[str, bytes], contents: dict[str, bytes]) -> dict[str, Any]:
    tables = {name: records_of(content) for name, content in contents.items()}
    if any(len(records) < 2 for records in tables.values()):
        return {"holds": False, "promises": [], "problems": ["a file has no rows"], "classes": {}, "counts": {}, "ends": []}
    holds, promises, problems = _judge(manifest, others, tables)
    numbers = {name: [number_of(records[1]), number_of(records[-1])] for name, records in tables.items()}
    counts = _count_values(manifest, tables)
    ends = _ends(manifest, tables)
    return {"holds": holds, "promises": promises, "problems": problems, "classes": numbers, "counts": counts, "ends": ends}


@spark_errors()
def verify(spark: Any, path: str) -> Verdict:
    """Proves the promises of a release again, in executors, file by file, and adds up. True if it holds.

    Losses (`utility`) are not computed again; `covey verify` does that on one machine.

    Raises InputError for what is no release, and for releases that are not verified file by file: of the forms sliced
    and transformed, with files of tables that are not cut at the same groups, or with more than 5,000,000 suppressed rows whose
    values follow from a prior.
    """
    return _Verifying(spark, path).run()


class _Verifying:
    def __init__(self, spark: Any, path: str, is_suppressed_judged: bool = False) -> None:
        self._spark = spark
        self._is_suppressed_judged = is_suppressed_judged
        self._place = Place(spark, path)
        self.problems: list[str] = []
        try:
            self.manifest: dict[str, Any] = json.loads(self._place.read("manifest.json"))
            self._files = {file["name"]: file for file in self.manifest["files"]}
            self._form = self.manifest["form"]
        except Exception as error:
            raise InputError(f"{path}: is no release: manifest.json cannot be read", file=path) from error
        if self._form not in WORDS:
            raise InputError(f"a release of the form {self._form} is judged as a whole, not file by file: covey verify does that")

    def run(self) -> Verdict:
        self.compare_folder()
        if self.problems:
            return self._verdict([])
        self.read_others()
        found = self._judge_files()
        self._compare_rows()
        self._compare_counts(found)
        if not self.problems:
            self._add_up(found)
        return self._verdict(found)

    def _say(self, problem: str) -> None:
        if len(self.problems) < _MOST_PROBLEMS and problem not in self.problems:
            self.problems.append(problem)

    def compare_folder(self) -> None:
        """The files are just the listed ones, and those of a table follow each other."""
        there = set(self._place.files()) - {"manifest.json", "_SUCCESS"}
        for name in sorted(set(self._files) - there):
            self._say(f"{name}: the file is missing")
        for name in sorted(there - set(self._files)):
            self._say(f"{name} is in the folder, but not in manifest.json")
        self.range_of: dict[str, int] = {}
        self.table_of: dict[str, str] = {}
        for name in self._files:
            if "/" in name or name == "perturbation.csv":
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
            if hashlib.sha256(content).hexdigest() != self._files[name]["sha256"]:
                self._say(f"{name}: its SHA-256 is not the one in manifest.json: the file was changed after it was published")

    def in_executors(self, task: Callable[[Iterator[Any]], Iterator[Any]]) -> list[Any]:
        """What a task says of each range of classes, in their order: each goes to one partition with all its files."""
        from pyspark.sql import functions as F

        n = max(self.range_of.values()) + 1
        address = addresses(n)
        read = self._spark.read.format("binaryFile").load([self._place.url(name) for name in self.range_of])
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
            for name, (size, n_rows, sha256) in facts["files"].items():
                listed = self._files[name]
                if sha256 != listed["sha256"]:
                    self._say(f"{name}: its SHA-256 is not the one in manifest.json: the file was changed after it was published")
                if size != listed["bytes"]:
                    self._say(f"{name} has {size} bytes, manifest.json says {listed['bytes']}")
                if n_rows != listed["rows"]:
                    self._say(f"{name} has {n_rows} rows, manifest.json says {listed['rows']}")
            names = ", ".join(sorted(facts["files"]))
            for problem in facts["problems"]:
                self._say(f"{names}, its classes numbered from 1: {problem}")
        return found

    def _compare_rows(self) -> None:
        manifest = self.manifest
        rows_table = "quasi.csv" if self._form == "bucketized" else "table.csv"
        published = sum(self._files[name]["rows"] for name, table in self.table_of.items() if table == rows_table)
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
        ends = [end.encode("latin-1").decode() for end in found[0]["ends"][0]["table.csv"][:2]]
        header, line = (next(csv.reader(io.StringIO(end, newline=""))) for end in ends)
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
        _, promises, _ = _judge(self.manifest, self.others, {"table.csv": records_of(text.getvalue().encode())})
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
            value = worst(facts["promises"][i][6] for facts in found)
            said = stated.get("achieved_value")
            if said is None or abs(said - value) > 1e-9 * max(abs(said), abs(value)):
                self._say(f"manifest.json: what {stated['model']} has achieved is not what it says, but {value:.9g}")

    def _compare_neighbours(self, number: int, before: dict[str, list[str]], behind: dict[str, list[str]]) -> None:
        tables = {
            name: [line.encode("latin-1") for line in (*before[name], *behind[name][1:])] for name in before if name in behind
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
