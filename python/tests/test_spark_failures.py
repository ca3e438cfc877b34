"""What clusters do, with covey.spark in the middle of it: the release is the same, or nothing is there."""

from __future__ import annotations

import os
import signal
import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("pyspark", reason="PySpark is not installed")

import covey
import covey.spark
from pyspark.sql import SparkSession
from pyspark.sql import functions as F
from test_spark import POLICY, command, published, rows

SCHEMA = "age int, zip string, disease int"


def skewed(spark: SparkSession) -> Any:
    """Half of the rows have one key, and cells are missing."""
    frame = rows(spark, 1000).withColumn("half", F.col("list")[0] % 2 == 0)
    return frame.select(
        F.when(F.col("half"), 40).otherwise(F.col("age")).alias("age"),
        F.when(F.col("half"), "00001").when(F.col("zip") != "00003", F.col("zip")).alias("zip"),
        "disease",
    ).repartition(4)


@pytest.fixture(scope="module")
def calm(spark: SparkSession, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """What comes out if nothing happens."""
    path = tmp_path_factory.mktemp("calm") / "release"
    covey.spark.anonymize(skewed(spark), POLICY, str(path), rows_per_part=300)
    assert command("verify", str(path))[1]["holds"] is True
    return path


def check_same(spark: SparkSession, frame: Any, calm: Path, tmp_path: Path) -> None:
    covey.spark.anonymize(frame, POLICY, str(tmp_path / "release"), rows_per_part=300)
    assert published(tmp_path / "release") == published(calm)
    assert [name for name in os.listdir(tmp_path) if "release" in name] == ["release"]


def test_skew_and_missing_cells_are_told_in_the_release(calm: Path, spark: SparkSession) -> None:
    release = covey.spark.open(spark, str(calm))
    assert release.manifest["published_rows"] == 1000
    zips = release.table.groupBy("zip").count().collect()
    assert sum(row["count"] for row in zips) == 1000
    assert max(row["count"] for row in zips) >= 500 and any("null" in (row["zip"] or "null") for row in zips)


def kill_once(mark: Path) -> Callable[[Iterator[Any]], Iterator[Any]]:
    """Rows that take the executor with them the first time that one of them is computed."""

    def task(batches: Iterator[Any]) -> Iterator[Any]:
        for batch in batches:
            if not mark.exists():
                mark.touch()
                with open(f"/proc/{os.getppid()}/stat") as stat:  # the daemon of Python workers, and whose child it is
                    executor = int(stat.read().rsplit(")", 1)[1].split()[1])
                with open(f"/proc/{executor}/cmdline") as line:
                    assert "CoarseGrainedExecutorBackend" in line.read()
                os.kill(executor, signal.SIGKILL)
            yield batch

    return task


def test_a_killed_executor_changes_nothing(spark: SparkSession, calm: Path, tmp_path: Path) -> None:
    mark = tmp_path / "killed"
    check_same(spark, skewed(spark).mapInArrow(kill_once(mark), SCHEMA), calm, tmp_path)
    assert mark.exists()


def test_what_one_executor_makes_is_made_again_by_another(spark: SparkSession, tmp_path: Path) -> None:
    policy = {**POLICY, "method": "full-domain", "suppression": {"limit": "0.5"}}
    with pytest.warns(covey.CoveyWarning, match="one executor"):
        covey.spark.anonymize(skewed(spark), policy, str(tmp_path / "calm"), seed=7)
    mark = tmp_path / "killed"
    frame = skewed(spark).mapInArrow(kill_once(mark), SCHEMA)
    frame.count = lambda: 1000  # type: ignore[method-assign]  # so that it is the job itself that is disturbed
    with pytest.warns(covey.CoveyWarning, match="one executor"):
        covey.spark.anonymize(frame, policy, str(tmp_path / "release"), seed=7)
    assert mark.exists() and published(tmp_path / "release") == published(tmp_path / "calm")
    assert sorted(os.listdir(tmp_path)) == ["calm", "killed", "release"]


def test_tasks_that_fail_half_way_change_nothing(spark: SparkSession, calm: Path, tmp_path: Path) -> None:
    """In each stage that reads rows the first attempt of a task fails when some of its rows have gone on. (Spark does
    not try speculatively on one machine; such an attempt is no other than the second one here.)"""

    def disturb(batches: Iterator[Any]) -> Iterator[Any]:
        from pyspark import TaskContext

        task = TaskContext.get()
        if task.attemptNumber() == 0 and task.partitionId() == 1:
            yield next(batches)
            (tmp_path / f"failed-in-{task.stageId()}").touch()
            raise RuntimeError("this attempt fails")
        yield from batches

    check_same(spark, skewed(spark).mapInArrow(disturb, SCHEMA), calm, tmp_path)
    assert len(list(tmp_path.glob("failed-in-*"))) > 1


def test_rows_that_differ_each_time_are_refused(spark: SparkSession, tmp_path: Path) -> None:
    def change(batches: Iterator[Any]) -> Iterator[Any]:
        import pyarrow

        for batch in batches:
            ages = pyarrow.array([byte % 64 for byte in os.urandom(batch.num_rows)], pyarrow.int32())  # each is there
            yield pyarrow.RecordBatch.from_arrays([ages, batch.column("zip"), batch.column("disease")], schema=batch.schema)

    frame = rows(spark, 10_000).drop("list").mapInArrow(change, SCHEMA)
    with pytest.raises(covey.InputError, match='column "age": other values .* persist') as raised:
        covey.spark.anonymize(frame, POLICY, str(tmp_path / "release"))
    assert "\n" not in str(raised.value)
    assert os.listdir(tmp_path) == []


def test_a_full_disk_leaves_nothing(spark: SparkSession, tmp_path: Path) -> None:
    disk = tmp_path / "disk"
    disk.mkdir()
    if subprocess.run(["mount", "-t", "tmpfs", "-o", "size=16k", "tmpfs", str(disk)], capture_output=True).returncode != 0:
        pytest.skip("a small disk cannot be mounted (needs root)")
    try:
        with pytest.raises(covey.SystemError_, match="No space left on device") as raised:
            covey.spark.anonymize(rows(spark, 1000), POLICY, str(disk / "release"))
        assert raised.value.code == 3 and "\n" not in str(raised.value)
        assert os.listdir(disk) == []
    finally:
        subprocess.run(["umount", str(disk)], check=True)
