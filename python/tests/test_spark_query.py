"""covey.spark asks and verifies what the command made: the same answers, and what was forged is found."""

from __future__ import annotations

import hashlib
import json
import random
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("pyspark", reason="PySpark is not installed")

import covey
import covey.spark
import pyarrow
from covey.spark import _query
from pyspark.sql import SparkSession
from test_spark import command

FORMS: dict[str, dict[str, Any]] = {
    "generalized": {"privacy": [{"model": "k-anonymity", "k": 4}], "method": "mondrian"},
    "suppressed": {
        "privacy": [{"model": "k-anonymity", "k": 4}, {"model": "t-closeness", "t": "0.35", "distance": "equal"}],
        "method": "full-domain",
        "suppression": 0.3,
    },
    "bucketized": {"privacy": [{"model": "probabilistic-l-diversity", "l": 2}], "method": "anatomy"},
    "perturbed": {"privacy": [{"model": "enhanced-beta-likeness", "beta": 3}], "method": "perturbation"},
}


@pytest.fixture(scope="module")
def releases(spark: SparkSession, tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """A table with missing cells, decimals and labels, published in each form, in three files."""
    folder = tmp_path_factory.mktemp("query")
    rng = random.Random(5)
    lines = ["age,zip,job,bonus,pay"]
    for _ in range(400):
        zip_code = rng.choice(["", *(f"{rng.randrange(3)}{rng.randrange(4)}{rng.randrange(3)}" for _ in range(9))])
        job = rng.choice(['cook', '"clerk, old"', 'nurse', 'smith'])
        lines.append(f"{rng.randrange(20, 60)},{zip_code},{job},{rng.randrange(40) / 4},{rng.choice([10, 20, 20, 30, 50, 70])}")
    (folder / "people.csv").write_text("\n".join(lines) + "\n")
    attributes = [
        {"name": "age", "role": "quasi-identifier"},
        {"name": "zip", "role": "quasi-identifier", "type": "text", "hierarchy": {"mask": 3}},
        {"name": "job", "role": "quasi-identifier"},
        {"name": "bonus", "role": "insensitive", "type": "decimal"},
        {"name": "pay", "role": "sensitive", "type": "integer"},
    ]
    found = {}
    for form, keys in FORMS.items():
        policy = covey.Policy(attributes=attributes, input={"path": str(folder / "people.csv")}, **keys)
        policy.write(str(folder / f"{form}.yaml"))
        found[form] = folder / form
        if form == "bucketized":  # the command cuts each table by itself
            frame = spark.read.csv(str(folder / "people.csv"), header=True)
            covey.spark.anonymize(frame, policy, str(found[form]), rows_per_part=150, seed=4)
            continue
        code, told = command("anonymize", str(folder / f"{form}.yaml"), "-o", str(found[form]), "--files", "3", "--seed", "4")
        assert code == 0, told
    manifest = json.loads((found["suppressed"] / "manifest.json").read_text())
    assert manifest["suppressed_rows"] > 10 and "pay" in manifest["prior"]
    return found


class Local:
    """A release whose tasks run here, one file after another, as executors run them."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.manifest = json.loads((path / "manifest.json").read_text())
        self.range_of: dict[str, int] = {}
        self.table_of: dict[str, str] = {}
        self.others: dict[str, bytes] = {}
        for file in self.manifest["files"]:
            name = file["name"]
            stem, _, number = name[:-4].rpartition("-")
            if "/" not in name and number.isdigit():
                self.range_of[name], self.table_of[name] = int(number) - 1, f"{stem}.csv"
            else:
                self.others[name] = (path / name).read_bytes()

    def in_executors(self, task: Callable[[Iterator[Any]], Iterator[Any]]) -> list[Any]:
        found = {}
        for number in sorted(set(self.range_of.values())):
            names = [name for name in self.range_of if self.range_of[name] == number]
            columns = {"path": [f"/{name}" for name in names], "content": [(self.path / name).read_bytes() for name in names]}
            for batch in task(iter([pyarrow.RecordBatch.from_pydict(columns)])):
                found.update(zip(batch.column("range").to_pylist(), batch.column("facts").to_pylist()))
        return [found[number] for number in sorted(found)]


def condition(rng: random.Random, columns: list[str], depth: int = 0) -> str:
    if depth < 2 and rng.random() < 0.5:
        word = rng.choice(["AND", "OR"])
        text = f"({condition(rng, columns, depth + 1)} {word} {condition(rng, columns, depth + 1)})"
        return f"NOT {text}" if rng.random() < 0.2 else text
    column = rng.choice(columns)
    if column == "age":
        return f"age BETWEEN {rng.randrange(15, 50)} AND {rng.randrange(25, 65)}"
    if column == "zip":
        return rng.choice(["zip IS NULL", "zip = '1**'", f"zip = '{rng.randrange(3)}{rng.randrange(4)}1'", "zip IN ('001', '222')"])
    if column == "job":
        return rng.choice(["job = 'cook'", "job <> 'clerk, old'", "job IN ('nurse', 'smith')"])
    return f"{column} {rng.choice(['<', '<=', '>', '='])} {rng.choice([10, 20, 2.5, 30, 7])}"


def question(rng: random.Random, form: str) -> str:
    aggregates = ["COUNT(*)", *(f"{name}({column})" for name in ("SUM", "AVG", "MIN", "MAX") for column in ("pay", "bonus"))]
    columns = ["age", "zip", "job", "bonus"]
    if rng.random() < 0.3:  # a condition on the sensitive column goes with COUNT only
        aggregates, columns = ["COUNT(*)"], [*columns, "pay"]
    sql = f"SELECT {', '.join(rng.sample(aggregates, rng.randrange(1, min(len(aggregates), 4) + 1)))}"
    if rng.random() < 0.8:
        sql += f" WHERE {condition(rng, columns)}"
    if rng.random() < 0.3:
        sql += f" GROUP BY {rng.choice(['job', 'age', 'zip, job', 'job, zip'])}"
    return sql


def compare(asked: Any, told: Any, where: str) -> None:
    """Bounds are equal; estimates are sums in another order, and of extremes there are none."""
    if isinstance(told, dict):
        assert asked.keys() == told.keys(), where
        is_extreme = str(told.get("aggregate", "")).startswith(("MIN", "MAX"))
        for key in told:
            if not (is_extreme and key in ("estimate", "standard_error")):
                compare(asked[key], told[key], f"{where}: {key}")
    elif isinstance(told, list):
        assert len(asked) == len(told), where
        for one, other in zip(asked, told):
            compare(one, other, where)
    elif isinstance(told, float) and where.rsplit(": ", 1)[1] not in ("lower", "upper"):
        assert asked == pytest.approx(told, rel=1e-9, abs=1e-6), where
    elif isinstance(told, float) and "interval" not in where:
        assert asked == told, where
    elif isinstance(told, float):
        assert asked == pytest.approx(told, rel=1e-9, abs=1e-6), where
    else:
        assert asked == told, where


def as_json(answer: Any) -> dict[str, Any]:
    found = {"groups": answer.groups} if answer.groups is not None else {"answers": answer.answers, "hits": answer.hits}
    return {**found, **({"notes": answer.notes} if answer.notes else {})}


@pytest.mark.parametrize("form", FORMS)
def test_answers_of_pieces_are_those_of_the_whole(releases: dict[str, Path], form: str) -> None:
    local, rng, n_answered = Local(releases[form]), random.Random(form), 0
    for _ in range(60):
        sql = question(rng, form)
        code, told = command("query", str(local.path), sql)
        if code != 0:
            with pytest.raises(covey.InputError) as raised:
                _query.ask(local, sql, str(local.path))
            assert told["error"]["message"].split(":")[-1][:40] in str(raised.value), sql
            continue
        compare(as_json(_query.ask(local, sql, str(local.path))), told, sql)
        n_answered += 1
    assert n_answered > 20


@pytest.mark.parametrize(("names", "words"), [
    (("count", "group"), ["--model", "k-anonymity:k=3", "--method", "mondrian"]),
    (("class", "count"), ["--model", "basic-beta-likeness:beta=4", "--method", "perturbation"]),
])  # fmt: skip
def test_columns_may_be_called_as_those_of_other_forms(spark: SparkSession, tmp_path: Path, names: tuple[str, str], words: list[str]) -> None:
    lines = [",".join((*names, "pay")), *(f"{20 + i % 37},{i % 5},{i % 3}" for i in range(200))]
    (tmp_path / "people.csv").write_text("\n".join(lines) + "\n")
    words = [*words, "--quasi", ",".join(names), "--sensitive", "pay", "--files", "2", "--seed", "1"]
    code, told = command("anonymize", str(tmp_path / "people.csv"), "-o", str(tmp_path / "release"), *words)
    assert code == 0, told
    for name in names:
        sql = f'SELECT COUNT(*) WHERE "{name}" >= 3 AND "{name}" <= 30'
        found = _query.ask(Local(tmp_path / "release"), sql, str(tmp_path / "release"))
        compare(as_json(found), command("query", str(tmp_path / "release"), sql)[1], sql)


@pytest.mark.parametrize("form", FORMS)
def test_a_cluster_answers_as_the_command_does(spark: SparkSession, releases: dict[str, Path], form: str) -> None:
    sql = "SELECT COUNT(*), AVG(bonus), MAX(pay) WHERE age < 45 AND NOT zip = '1**' GROUP BY job"
    release = covey.spark.open(spark, str(releases[form]))
    compare(as_json(release.query(sql)), command("query", release.path, sql)[1], sql)
    if form == "generalized":
        with pytest.raises(covey.InputError, match="no column"):
            release.query("SELECT COUNT(*) WHERE height > 3")
        with pytest.raises(covey.InputError, match="quasi-identifier"):
            release.query("SELECT AVG(age)")


def rewrite(path: Path, name: str, change: Callable[[list[bytes]], list[bytes]]) -> None:
    """Changes a file, and makes all that the manifest says of it right."""
    file = path / name
    lines = change(file.read_bytes().splitlines(keepends=True))
    file.write_bytes(b"".join(lines))
    manifest = json.loads((path / "manifest.json").read_text())
    for listed in manifest["files"]:
        if listed["name"] == name:
            sha256 = hashlib.sha256(file.read_bytes()).hexdigest()
            classes = len({line.partition(b",")[0] for line in lines[1:]})
            listed.update(rows=len(lines) - 1, classes=classes, bytes=file.stat().st_size, sha256=sha256)
    (path / "manifest.json").write_text(json.dumps(manifest))


def swap(path: Path) -> None:
    """Two files change places, in the manifest, too."""
    one, other = (path / f"table-0000{i}.csv" for i in (1, 2))
    texts = one.read_bytes(), other.read_bytes()
    one.write_bytes(texts[1])
    other.write_bytes(texts[0])
    for name in (one.name, other.name):
        rewrite(path, name, lambda lines: lines)


def set_hash(path: Path) -> None:
    text = (path / "manifest.json").read_text()
    sha256 = json.loads(text)["files"][1]["sha256"]
    (path / "manifest.json").write_text(text.replace(sha256, sha256[::-1]))


def restate(path: Path, change: Callable[[dict[str, Any]], Any]) -> None:
    """Changes what the manifest says."""
    manifest = json.loads((path / "manifest.json").read_text())
    change(manifest)
    (path / "manifest.json").write_text(json.dumps(manifest))


FORGERIES: dict[str, tuple[Callable[[Path], Any], str]] = {
    "nothing": (lambda path: None, ""),
    "a changed cell": (
        lambda path: rewrite(
            path, "table-00002.csv", lambda lines: [lines[0], lines[1].partition(b",")[0] + b"," + lines[-1].partition(b",")[2], *lines[2:]]
        ),
        "class 1",
    ),
    "a changed cell, unsaid": (
        lambda path: (path / "table-00002.csv").write_bytes((path / "table-00002.csv").read_bytes().replace(b",70\n", b",50\n", 1)),
        "table-00002.csv: its SHA-256 is not the one",
    ),
    "swapped files": (swap, "begins with class"),
    "a wrong hash": (set_hash, "its SHA-256 is not the one"),
    "a missing file": (lambda path: (path / "table-00003.csv").unlink(), "table-00003.csv: the file is missing"),
    "a row dropped": (lambda path: rewrite(path, "table-00001.csv", lambda lines: lines[:1] + lines[2:]), "published_rows is 400"),
    "a better figure": (lambda path: restate(path, lambda said: said["promises"][0].update(achieved=9)), "has achieved is not what it says, but 4"),
    "a class more": (lambda path: restate(path, lambda said: said["files"][1].update(classes=99)), "classes, manifest.json says 99"),
    "a wrong size": (lambda path: restate(path, lambda said: said["files"][-1].update(bytes=99)), "bytes, manifest.json says 99"),
    "fewer rows": (lambda path: restate(path, lambda said: said.update(rows=3)), "rows is 3 in manifest.json"),
    "a file more": (lambda path: (path / "_SUCCESS").touch(), "_SUCCESS is in the folder"),
}


@pytest.mark.parametrize("forgery", FORGERIES)
def test_forgeries_are_found(spark: SparkSession, releases: dict[str, Path], tmp_path: Path, forgery: str) -> None:
    change, says = FORGERIES[forgery]
    path = tmp_path / "release"
    shutil.copytree(releases["generalized"], path)
    change(path)
    verdict = covey.spark.verify(spark, str(path))
    assert verdict.holds is (forgery == "nothing")
    assert (not says and verdict.problems == []) or any(says in problem for problem in verdict.problems), verdict.problems
    if forgery != "nothing":
        assert command("verify", str(path))[1]["holds"] is False


def test_what_is_no_manifest_is_told(spark: SparkSession, releases: dict[str, Path], tmp_path: Path) -> None:
    path = tmp_path / "release"
    shutil.copytree(releases["generalized"], path)
    restate(path, lambda said: said["files"][1].pop("sha256"))
    for ask in (covey.spark.verify, lambda *release: covey.spark.query(*release, "SELECT COUNT(*)")):
        with pytest.raises(covey.InputError, match='"sha256" must be a text') as raised:
            ask(spark, str(path))
        assert str(path) in str(raised.value)


def test_suppressed_rows_are_judged_by_the_prior(spark: SparkSession, releases: dict[str, Path], tmp_path: Path) -> None:
    path = tmp_path / "release"
    shutil.copytree(releases["suppressed"], path)
    assert covey.spark.verify(spark, str(path)).problems == []
    manifest = json.loads((path / "manifest.json").read_text())
    published = covey.spark.open(spark, str(path)).table.groupBy("pay").count().collect()
    # As if they all had had one value: the tables are right, and everybody who is suppressed is known.
    manifest["prior"]["pay"] = {row["pay"]: row["count"] for row in sorted(published, key=lambda row: int(row["pay"]))}
    manifest["prior"]["pay"]["10"] += manifest["suppressed_rows"]
    (path / "manifest.json").write_text(json.dumps(manifest))
    verdict = covey.spark.verify(spark, str(path))
    says = f"the {manifest['suppressed_rows']} suppressed rows, whose sensitive values follow from the prior, break t-closeness"
    assert not verdict.holds and any(says in problem for problem in verdict.problems), verdict.problems
    assert any(says in problem for problem in command("verify", str(path))[1]["problems"])
