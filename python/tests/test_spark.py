"""covey.spark on a real cluster of two executors: the same promises, whatever the cluster does.

Skipped where PySpark or Java is missing; tools/python does not install PySpark (450 MB).
"""

from __future__ import annotations

import hashlib
import json
import os
import shutil
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("pyspark", reason="PySpark is not installed")
if shutil.which("java") is None:
    pytest.skip("there is no Java", allow_module_level=True)

import covey
import covey.spark
from covey.spark._deal import addresses, hash_of
from pyspark.sql import SparkSession
from pyspark.sql import functions as F

POLICY: dict[str, Any] = {
    "quasi": ["age", "zip"],
    "sensitive": "disease",
    "others": "drop",
    "privacy": [{"model": "k-anonymity", "k": 5}],
    "method": "elastic",
}


@pytest.fixture(scope="module")
def spark() -> Iterator[SparkSession]:
    os.environ["PYSPARK_PYTHON"] = sys.executable
    session = (
        SparkSession.builder.master("local-cluster[2,1,1024]")
        .config("spark.ui.enabled", "false")
        .config("spark.driver.host", "127.0.0.1")
        .config("spark.driver.bindAddress", "127.0.0.1")
        .config("spark.executorEnv.PYTHONPATH", os.environ.get("PYTHONPATH", ""))
        .config("spark.sql.shuffle.partitions", "2")
        .getOrCreate()
    )
    session.sparkContext.setLogLevel("OFF")
    yield session
    session.stop()


def rows(spark: SparkSession, n: int = 3000) -> Any:
    """Made of a hash of the row's number, so that it is the same each time."""
    number = spark.range(n)
    mix = [F.pmod(F.xxhash64("id", F.lit(i)), F.lit(m)) for i, m in enumerate((70, 40, 6))]
    return number.select(
        (mix[0] + 18).cast("int").alias("age"),
        F.format_string("%05d", mix[1]).alias("zip"),
        F.concat(F.lit("d"), mix[2]).alias("disease"),
        F.array("id").alias("list"),
    )


def published(path: Path) -> dict[str, str]:
    return {
        str(file.relative_to(path)): hashlib.sha256(file.read_bytes()).hexdigest() for file in sorted(path.rglob("*")) if file.is_file()
    }


def command(*words: str) -> tuple[int, Any]:
    program = os.environ.get("COVEY_BIN")
    if not program:
        pytest.skip("the command of the build is not here (COVEY_BIN)")
    done = subprocess.run([program, *words, "--json"], capture_output=True, text=True)
    return done.returncode, json.loads(done.stdout)


def test_numbers_are_found_for_all_partitions(spark: SparkSession) -> None:
    for n in (1, 2, 7):
        frame = spark.createDataFrame([(number,) for number in addresses(n)], "number int").repartition(n, "number")
        placed = frame.select("number", F.hash("number"), F.spark_partition_id()).collect()
        assert sorted(row[2] for row in placed) == list(range(n))
        assert all(row[1] == hash_of(row[0]) for row in placed)


def test_the_release_does_not_depend_on_partitions(spark: SparkSession, tmp_path: Path) -> None:
    found = []
    for n in (1, 7):
        target = tmp_path / f"release-{n}"
        release = covey.spark.anonymize(rows(spark).repartition(n), POLICY, str(target), rows_per_part=1000)
        found.append(published(target))
        assert sorted(os.listdir(tmp_path)) == [f"release-{m}" for m in (1, 7) if m <= n]
    assert found[0] == found[1]
    assert [file["name"] for file in release.manifest["files"]] == [f"table-{i:05d}.csv" for i in (1, 2, 3)]
    assert release.manifest["rows"] == 3000 and "seeded" not in release.manifest
    table = tmp_path / "rows.csv"
    rows(spark).drop("list").toPandas().to_csv(table, index=False)
    assert command("verify", str(target), "--original", str(table))[1]["holds"] is True
    assert command("verify", str(target), "--original", str(table))[1]["faithful"] is True


def test_what_is_random_follows_from_the_seed_and_the_part(spark: SparkSession, tmp_path: Path) -> None:
    policy = {**POLICY, "privacy": [{"model": "enhanced-beta-likeness", "beta": 2}], "method": "perturbation"}
    found = []
    for n in (1, 2):
        covey.spark.anonymize(rows(spark).repartition(n), policy, str(tmp_path / str(n)), rows_per_part=1500, seed=7)
        found.append(published(tmp_path / str(n)))
    assert found[0] == found[1]
    assert command("verify", str(tmp_path / "1"))[1]["holds"] is True


def test_a_changed_file_is_found(spark: SparkSession, tmp_path: Path) -> None:
    target = tmp_path / "release"
    covey.spark.anonymize(rows(spark, 2000), POLICY, str(target), rows_per_part=1000)
    assert covey.spark.verify(spark, str(target)).holds
    sql = "SELECT COUNT(*) WHERE age < 40 AND disease = 'd1'"
    asked, told = covey.spark.query(spark, str(target), sql), command("query", str(target), sql)[1]
    for key in ("lower", "upper"):
        assert asked.answers[0][key] == told["answers"][0][key] and asked.hits[key] == told["hits"][key]
    assert asked.answers[0]["estimate"] == pytest.approx(told["answers"][0]["estimate"])
    with pytest.raises(covey.InputError, match="AVG"):
        covey.spark.query(spark, str(target), "SELECT AVG(age)")
    manifest = json.loads((target / "manifest.json").read_text())
    first, second = (target / f"table-0000{i}.csv" for i in (1, 2))
    # A row leaves its class, with all figures of the file made right.
    lines = first.read_bytes().splitlines(keepends=True)
    first.write_bytes(b"".join(lines[:1] + lines[2:]))
    manifest["files"][0].update(
        rows=len(lines) - 2, bytes=first.stat().st_size, sha256=hashlib.sha256(first.read_bytes()).hexdigest()
    )
    (target / "manifest.json").write_text(json.dumps(manifest))
    verdict = covey.spark.verify(spark, str(target))
    assert not verdict.holds
    assert any("published_rows" in problem for problem in verdict.problems)
    second.unlink()
    assert covey.spark.verify(spark, str(target)).problems == ["table-00002.csv: the file is missing"]


@pytest.mark.parametrize(
    "change, error, says",
    [
        (lambda df: df.limit(0), covey.InputError, "has no row"),
        (lambda df: df.limit(3), covey.Infeasible, "k-anonymity"),
        (lambda df: df.withColumn("zip", F.struct("zip")), covey.InputError, 'column "zip": a column of type struct'),
        (lambda df: df.withColumn("age", F.current_timestamp()), covey.InputError, 'column "age": a column of type timestamp'),
        (lambda df: df.drop("age"), covey.InputError, "age"),
        (
            lambda df: df.withColumn("disease", F.when(F.col("age") > 30, F.col("disease"))),
            covey.InputError,
            'column "disease" is missing in',
        ),
    ],
)
def test_bad_input_is_told_by_the_driver(
    spark: SparkSession, tmp_path: Path, change: Any, error: type[covey.Error], says: str
) -> None:
    with pytest.raises(error) as raised:
        covey.spark.anonymize(change(rows(spark, 200)), POLICY, str(tmp_path / "release"))
    assert says in str(raised.value)
    assert "Traceback" not in str(raised.value)
    assert os.listdir(tmp_path) == []


def test_a_killed_executor_and_skew_change_nothing(spark: SparkSession, tmp_path: Path) -> None:
    """Half of the rows have one key, cells are missing, and an executor dies while rows are read."""
    skewed = rows(spark, 2000).withColumn("age", F.when(F.pmod("age", F.lit(2)) == 0, F.lit(40)).otherwise(F.col("age")))
    skewed = skewed.withColumn("zip", F.when(F.col("zip") != "00003", F.col("zip"))).select("age", "zip", "disease")
    covey.spark.anonymize(skewed, POLICY, str(tmp_path / "calm"), rows_per_part=500)
    mark = tmp_path / "killed"

    def kill_once(batches: Any) -> Any:
        for batch in batches:
            if not mark.exists():
                mark.touch()
                with open(f"/proc/{os.getppid()}/stat") as stat:  # the daemon of Python workers, and whose child it is
                    executor = int(stat.read().rsplit(")", 1)[1].split()[1])
                with open(f"/proc/{executor}/cmdline") as line:
                    assert "CoarseGrainedExecutorBackend" in line.read()
                os.kill(executor, signal.SIGKILL)
            yield batch

    covey.spark.anonymize(skewed.mapInArrow(kill_once, skewed.schema), POLICY, str(tmp_path / "killed-once"), rows_per_part=500)
    assert mark.exists()
    assert published(tmp_path / "calm") == published(tmp_path / "killed-once")
    assert command("verify", str(tmp_path / "calm"))[1]["holds"] is True
