"""What a release costs on a cluster of two executors on this machine, beside the parts that have to be paid anyway.

    tools/python with-spark python bench/spark_bench.py TABLE.parquet...

For each table, which stands beside its CSV file of the same name: `covey anonymize` of the CSV file; Spark's own read,
range partitioning and write of the same rows; covey.spark.anonymize. Elapsed seconds and CPU seconds of all processes:
where others use the machine, only the latter tell. The last lines are how work grows between the tables.
"""

from __future__ import annotations

import math
import os
import resource
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import covey.spark
from pyspark.sql import SparkSession

QUASI = ["age", "gender", "education", "marital"]
POLICY = {"quasi": QUASI, "sensitive": "salary", "others": "drop", "privacy": [{"model": "k-anonymity", "k": 10}], "method": "elastic"}


def start() -> SparkSession:
    os.environ["PYSPARK_PYTHON"] = sys.executable
    builder = SparkSession.builder.master("local-cluster[2,1,4096]").config("spark.executor.memory", "2500m")
    for key, value in {
        "spark.ui.enabled": "false",
        "spark.driver.host": "127.0.0.1",
        "spark.driver.bindAddress": "127.0.0.1",
        "spark.executorEnv.PYTHONPATH": os.environ.get("PYTHONPATH", ""),
        "spark.sql.shuffle.partitions": "4",
    }.items():
        builder = builder.config(key, value)
    session = builder.getOrCreate()
    session.sparkContext.setLogLevel("ERROR")
    return session


def cpu_of_all() -> float:
    """CPU seconds of this process, and of all below it with what they have waited for."""
    below: dict[int, list[int]] = {}
    ticks: dict[int, int] = {}
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            fields = (folder / "stat").read_text().rsplit(")", 1)[1].split()
        except OSError:
            continue
        below.setdefault(int(fields[1]), []).append(int(folder.name))
        ticks[int(folder.name)] = sum(int(field) for field in fields[11:15])
    total, left = 0, [os.getpid()]
    while left:
        pid = left.pop()
        total += ticks.get(pid, 0)
        left += below.get(pid, [])
    return total / os.sysconf("SC_CLK_TCK")


def timed(name: str, work: Callable[[], Any]) -> float:
    begin, cpu, load = time.monotonic(), cpu_of_all(), os.getloadavg()[0]
    work()
    used = cpu_of_all() - cpu
    print(f"  {name:34} {time.monotonic() - begin:8.1f} s {used:8.1f} CPU s   (load before {load:.1f})", flush=True)
    return used


def main(tables: list[str]) -> None:
    spark = start()
    found = []
    with tempfile.TemporaryDirectory(prefix="covey-bench-") as folder:
        spark.range(1000).repartition(4).count()
        for table in map(Path, tables):
            frame = spark.read.parquet(str(table)).select(*QUASI, "salary")
            n, parts = frame.count(), 8
            print(f"{n:,} rows", flush=True)
            words = [os.environ["COVEY_BIN"], "anonymize", str(table.with_suffix(".csv")), "--quasi", ",".join(QUASI)]
            words += ["--sensitive", "salary", "--others", "drop", "--model", "k-anonymity:k=10", "--method", "elastic", "--quiet"]
            alone = timed("covey anonymize", lambda: subprocess.run([*words, "-o", f"{folder}/alone"], check=True))
            written = f"{folder}/written"
            own = timed("Spark: read, range, write", lambda: frame.repartitionByRange(parts, *QUASI).write.csv(written, header=True))
            release = f"{folder}/release"
            cluster = timed("covey.spark.anonymize", lambda: covey.spark.anonymize(frame, POLICY, release))
            print(f"  ratio {cluster / (alone + own):.2f} in CPU seconds (asked: at most 3)", flush=True)
            found.append((n, cluster))
            for path in ("alone", "written", "release"):
                shutil.rmtree(f"{folder}/{path}")
    for (n, one), (m, other) in zip(found, found[1:]):
        print(f"slope from {n:,} to {m:,} rows: {math.log(other / one) / math.log(m / n):.2f} (asked: at most 1.1)")
    print(f"driver's memory: {resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024:.0f} MB")
    spark.stop()


if __name__ == "__main__":
    main(sys.argv[1:])
