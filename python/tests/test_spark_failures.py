"""What clusters do, with covey.spark in the middle of it: the release is the same, or nothing is there."""

from __future__ import annotations

import contextlib
import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("pyspark", reason="PySpark is not installed")

import covey
import covey.spark
from pyspark import TaskContext, cloudpickle
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


def test_tasks_that_fail_half_way_and_a_killed_executor_change_nothing(spark: SparkSession, calm: Path, tmp_path: Path) -> None:
    """In each stage that reads rows the first attempt of a task fails when some of its rows have gone on; in the first one an
    executor is killed. (Spark does not try speculatively on one machine; such an attempt is no other than the second one here.)"""

    def disturb(batches: Iterator[Any]) -> Iterator[Any]:
        from pyspark import TaskContext

        task = TaskContext.get()
        if task.attemptNumber() == 0 and task.partitionId() == 1:
            yield next(batches)
            (tmp_path / f"failed-in-{task.stageId()}").touch()
            raise RuntimeError("this attempt fails")
        yield from batches

    mark = tmp_path / "killed"
    frame = skewed(spark).mapInArrow(kill_once(mark), SCHEMA).mapInArrow(disturb, SCHEMA)
    covey.spark.anonymize(frame, POLICY, str(tmp_path / "release"), rows_per_part=300)
    assert published(tmp_path / "release") == published(calm)
    assert [name for name in os.listdir(tmp_path) if "release" in name] == ["release"]
    assert mark.exists() and len(list(tmp_path.glob("failed-in-*"))) > 1


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


def die_in(function: Callable[..., Any], mark: Path, with_executor: bool) -> Callable[..., Any]:
    """The function, and a worker that is killed behind it the first time, when it has told what lies in its executor's folders."""

    def dying(*args: Any, **words: Any) -> Any:
        found = function(*args, **words)
        if TaskContext.get() is None or mark.exists():
            return found
        with contextlib.suppress(FileExistsError), open(mark, "x") as told:
            places = [os.path.join(place, name) for place in os.environ["SPARK_LOCAL_DIRS"].split(",") for name in os.listdir(place)]
            own = [path for path in places if "covey" in os.path.basename(path)]
            names = [name for path in own for name in os.listdir(path)]
            told.write(json.dumps([own, [os.stat(path).st_mode for path in own], names]))
            told.flush()
            if with_executor:
                with open(f"/proc/{os.getppid()}/stat") as stat:
                    os.kill(int(stat.read().rsplit(")", 1)[1].split()[1]), signal.SIGKILL)
            os.kill(os.getpid(), signal.SIGKILL)
        return found

    return dying


# Where it is killed, what with it, and what is then as if nothing had happened.
CALLS: dict[str, tuple[str, str, Callable[..., Any]]] = {
    "_tasks.put_files": ("worker", "recipe", lambda spark, calm, new: is_same(spark, POLICY, new, calm)),
    "_tasks._join": ("executor", "table.csv", lambda spark, calm, new: is_same(spark, POLICY, new, calm)),
    "_tasks._anonymize": ("worker", "release", lambda spark, calm, new: is_same(spark, {**POLICY, "method": "full-domain"}, new, None)),
    "_verify.write_piece": ("worker", "table.csv", lambda spark, calm, new: covey.spark.verify(spark, str(calm)).holds),
    "_query.write_piece": ("worker", "table.csv", lambda spark, calm, new: is_answered(spark, calm)),
}


def is_same(spark: SparkSession, policy: dict[str, Any], path: Path, calm: Path | None) -> bool:
    release = covey.spark.anonymize(skewed(spark), policy, str(path), rows_per_part=300 if calm else None)
    return published(path) == published(calm) if calm else command("verify", release.path)[1]["holds"]


def is_answered(spark: SparkSession, calm: Path) -> bool:
    sql = "SELECT COUNT(*) WHERE age < 40"
    own = covey.spark.query(spark, str(calm), sql).hits
    return bool(own == command("query", str(calm), sql)[1]["hits"])


@pytest.fixture
def by_value() -> Iterator[None]:
    """What executors run is the package as the test has changed it."""
    cloudpickle.register_pickle_by_value(covey.spark)
    yield
    cloudpickle.unregister_pickle_by_value(covey.spark)


@pytest.mark.parametrize("place", CALLS)
@pytest.mark.usefixtures("by_value")
def test_what_a_killed_task_left_goes_with_the_next(
    spark: SparkSession, calm: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, place: str
) -> None:
    victim, holds, is_as_ever = CALLS[place]
    mark = tmp_path / "killed"
    module, name = place.split(".")
    function = getattr(getattr(covey.spark, module), name)
    with monkeypatch.context() as patch:
        patch.setattr(f"covey.spark.{place}", die_in(function, mark, victim == "executor"))
        assert is_as_ever(spark, calm, tmp_path / "release")
    folders, modes, names = json.loads(mark.read_text())
    assert all("/blockmgr-" in folder for folder in folders) and all(mode & 0o777 == 0o700 for mode in modes)
    assert holds in names
    # A task of the executor, or of the one that came in its place.
    assert covey.spark.verify(spark, str(calm))
    assert not any(map(os.path.exists, folders))


def left_by_covey(folder: Path) -> list[Path]:
    return [path for path in folder.rglob("*covey-*")]


DRIVER = """
import os, signal, sys
sys.path.insert(0, sys.argv[1])
import covey.spark
from conftest import cluster
from test_spark import POLICY, rows

spark = cluster("local[1]", **{"spark.local.dir": sys.argv[3], "spark.sql.shuffle.partitions": "1"}).getOrCreate()

def die(*args, **words):
    if sys.argv[4] == "both":
        os.kill(spark._jvm.ProcessHandle.current().pid(), signal.SIGKILL)
    os.kill(os.getpid(), signal.SIGKILL)

covey.spark._whole.WholeJob.check = die  # when everything is written
covey.spark.anonymize(rows(spark, 300), {**POLICY, "method": "full-domain"}, sys.argv[2])
"""


def test_what_a_killed_driver_left(spark: SparkSession, tmp_path: Path) -> None:
    """Its local files go with Spark's, or where Spark was killed, too, with the next call; beside the target is what can be removed."""

    def kill(victim: str, local: Path) -> None:
        words = [sys.executable, "-c", DRIVER, str(Path(__file__).parent), str(tmp_path / victim), str(local), victim]
        assert subprocess.run(words, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL).returncode == -signal.SIGKILL

    local, shared = tmp_path / "local", Path(spark.conf.get("spark.local.dir"))
    kill("driver", local)
    while any(local.iterdir()):  # Java ends when it misses Python
        time.sleep(0.1)
    (beside,) = tmp_path.glob(".driver.covey-*")
    assert beside.stat().st_mode & 0o777 == 0o700
    kill("both", shared)
    left = left_by_covey(shared)
    assert left and all("/userFiles-" in str(path) for path in left)
    with pytest.warns(covey.CoveyWarning):
        covey.spark.anonymize(rows(spark, 300), {**POLICY, "method": "full-domain"}, str(tmp_path / "both"))
    assert not left_by_covey(shared) and (tmp_path / "both" / "manifest.json").exists()


def test_complaints_about_a_policy_name_its_keys(spark: SparkSession, tmp_path: Path) -> None:
    frame = spark.createDataFrame([(20 + i // 3, "a") for i in range(9)], "age int, s string")
    for keys, said, column in (
        ({"quasi": ["year"]}, 'quasi["year"]: the DataFrame has no column "year"', "year"),
        ({"quasi": ["age"], "privacy": [covey.TCloseness("0.2")]}, "privacy[0]: model t-closeness needs a sensitive attribute", None),
        ({"quasi": ["age"], "method": {"name": "mondrian", "cut": "lax"}}, 'method["cut"]: ', None),
    ):
        policy = covey.Policy(**{"others": "drop", "privacy": covey.KAnonymity(2), **keys})  # type: ignore[arg-type]
        with pytest.raises(covey.InputError) as caught:
            covey.spark.anonymize(frame, policy, tmp_path / "release")
        assert str(caught.value).startswith(said), caught.value
        assert (caught.value.row, caught.value.column, caught.value.file) == (None, column, None)
