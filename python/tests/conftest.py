"""What the tests share: small tables, the command, and a hash of what a release published."""

from __future__ import annotations

import csv
import json
import os
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

import covey

# Whoever starts the tests in the background may have told them to ignore Ctrl-C, and programs that they start, too.
signal.signal(signal.SIGINT, signal.default_int_handler)

PEOPLE = {
    "age": [23, 24, 25, 25, 30, 31, 32, 33, 40, 41, 42, 47],
    "zip": ["01234", "01234", "01299", "01299", "02100", "02101", "02100", "02101", "03000", "03000", "03001", "03001"],
    "income": ["10.5", "11.0", "9.25", "100.0", "8.5", "12.0", "7.0", "7.5", "30.0", "31.0", "3.0", "2.0"],
    "disease": ["flu", "cold", "flu", "ache", "cold", "flu", "ache", "cold", "flu", "ache", "cold", "flu"],
}
POLICY: dict[str, Any] = {
    "quasi": ["age", "zip"],
    "sensitive": "disease",
    "insensitive": "income",
    "privacy": [{"model": "k-anonymity", "k": 3}, {"model": "distinct-l-diversity", "l": 2}],
    "method": "mondrian",
    "seed": 7,
}


def write_csv(path: Path, columns: dict[str, list[Any]]) -> str:
    """Columns as a CSV file; None is an empty cell."""
    with open(path, "w", newline="", encoding="utf-8") as file:
        out = csv.writer(file, lineterminator="\n", quoting=csv.QUOTE_MINIMAL)
        out.writerow(columns)
        for row in zip(*columns.values()):
            out.writerow(["" if cell is None else cell for cell in row])
    return str(path)


def published(release: covey.Release) -> dict[str, str]:
    """Every file of a release with its hash: two that are equal published the same bytes."""
    return {file["name"]: file["sha256"] for file in release.manifest["files"]}


@pytest.fixture
def people(tmp_path: Path) -> str:
    return write_csv(tmp_path / "people.csv", PEOPLE)


@pytest.fixture
def command() -> Callable[..., tuple[int, Any]]:
    """Runs the command of the build; exit code and JSON."""
    program = os.environ.get("COVEY_BIN")
    if not program or not os.path.exists(program):
        pytest.skip("skipped: the command of the build is not here (COVEY_BIN)")

    def run(*words: str) -> tuple[int, Any]:
        done = subprocess.run([program, *words, "--json", "--quiet"], capture_output=True, text=True)
        return done.returncode, json.loads(done.stdout)

    return run


def cluster(master: str, **others: str) -> Any:
    """Builds a session of Spark on this machine."""
    sql = pytest.importorskip("pyspark.sql", reason="PySpark is not installed")
    os.environ["PYSPARK_PYTHON"] = sys.executable
    # What is asked here is little and is asked once: compiling it takes longer than it does itself.
    java = "-XX:+UseSerialGC -XX:TieredStopAtLevel=1 -XX:-UsePerfData"
    settings = {
        "spark.ui.enabled": "false",
        "spark.driver.host": "127.0.0.1",
        "spark.driver.bindAddress": "127.0.0.1",
        "spark.driver.extraJavaOptions": java,
        "spark.executor.extraJavaOptions": java,
        "spark.executorEnv.PYTHONPATH": os.environ.get("PYTHONPATH", ""),
        "spark.sql.shuffle.partitions": "2",
        "spark.sql.codegen.wholeStage": "false",
        "spark.sql.codegen.factoryMode": "NO_CODEGEN",
        "spark.sql.adaptive.enabled": "false",
        **others,
    }
    builder = sql.SparkSession.builder.master(master)
    for key, value in settings.items():
        builder = builder.config(key, value)
    return builder


@pytest.fixture(scope="session")
def spark(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Any]:
    """A cluster of two executors on this machine, of all tests together: it takes some seconds to start."""
    local = str(tmp_path_factory.mktemp("local"))
    session = cluster("local-cluster[2,1,1024]", **{"spark.local.dir": local}).getOrCreate()
    session.sparkContext.setLogLevel("OFF")
    yield session
    session.stop()
