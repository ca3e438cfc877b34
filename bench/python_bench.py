"""What the Python package costs: python_bench.py COVEY FOLDER [ROWS]; tools/python bench runs it.

A table of census in memory (Arrow) through covey.anonymize with elastic, beside the command on the CSV file of the same table and beside
the library's own seconds of the same call; the import; the peak of memory; and a peer (anjana, with pandas) on 30,000 rows. Numbers go to
the file COVEY_BENCH_RESULTS, too.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
import warnings
from typing import Any, Callable

QUASI = ["age", "gender", "education", "marital", "workclass"]
PEER_ROWS = 30_000


def record(case: str, what: str, value: float, unit: str, floor: float | None = None, of: str = "") -> None:
    """One number, beside what it is compared with."""
    beside = f"  {value / floor:6.2f} times {of}" if floor else ""
    print(f"  {case:<64} {value:10.3f} {unit}{beside}")
    entry = {"bench": "python", "case": case, "what": what, "value": value, "unit": unit, "floor": floor}
    entry["ratio"] = value / floor if floor else None
    if os.environ.get("COVEY_BENCH_RESULTS"):
        with open(os.environ["COVEY_BENCH_RESULTS"], "a", encoding="utf-8") as file:
            file.write(json.dumps(entry) + "\n")


def best(work: Callable[[], Any], times: int = 5) -> tuple[float, Any]:
    """The least seconds, with what that run gave."""
    found = []
    for _ in range(times):
        start = time.perf_counter()
        result = work()
        found.append((time.perf_counter() - start, result))
    return min(found, key=lambda pair: pair[0])


def by_command(program: str, path: str, folder: str) -> tuple[float, float]:
    """Seconds and peak of memory (MB) of the command."""
    words = [program, "anonymize", path, "--quasi", ",".join(QUASI), "--sensitive", "salary", "--model", "k-anonymity:k=10"]
    words += ["--method", "elastic", "-o", os.path.join(folder, "by-command"), "--force", "--quiet"]
    peaks = []

    def run() -> None:
        _, status, used = os.wait4(os.posix_spawn(program, words, os.environ), 0)
        if status != 0:
            raise SystemExit(f"{program}: exit code {os.waitstatus_to_exitcode(status)}")
        peaks.append(used.ru_maxrss / 1024)

    seconds, _ = best(run)
    return seconds, min(peaks)


def anonymize(table: Any) -> Any:
    import covey

    keys: dict[str, Any] = {"quasi": QUASI, "sensitive": "salary", "privacy": covey.KAnonymity(10), "method": "elastic"}
    return covey.anonymize(table, **keys)


def memory_of_call(table: Any, folder: str) -> tuple[float, float]:
    """Peak of memory (MB) of a process that holds the table and calls, beyond what it had with everything imported; and with the table alone."""
    import pyarrow

    path = os.path.join(folder, "python.arrow")
    with pyarrow.OSFile(path, "wb") as file, pyarrow.ipc.new_file(file, table.schema) as out:
        out.write_table(table)
    script = (
        "import sys, warnings; warnings.simplefilter('ignore'); sys.path.insert(0, sys.argv[2])\n"
        "import pyarrow, covey, python_bench; covey.KAnonymity(2)\n"
        "has = lambda what: int(next(line for line in open('/proc/self/status') if line.startswith(what)).split()[1]) / 1024\n"
        "before = has('VmRSS'); table = pyarrow.ipc.open_file(pyarrow.OSFile(sys.argv[1])).read_all()\n"
        "own = has('VmRSS'); python_bench.anonymize(table); print(has('VmHWM') - before, own - before)"
    )
    words = [sys.executable, "-c", script, path, os.path.dirname(__file__)]
    peak, own = map(float, subprocess.run(words, check=True, capture_output=True, text=True).stdout.split())
    return peak, own


def with_peer(path: str) -> None:
    """anjana's k-anonymity with hierarchies of its own making, and covey, both from a pandas frame."""
    import pandas

    frame = pandas.read_csv(path).head(PEER_ROWS)
    own, _ = best(lambda: anonymize(frame).to_pandas())
    record(f"{PEER_ROWS} rows of pandas: covey, from frame to frame", "seconds", own, "s")
    try:
        from anjana.anonymity import k_anonymity
    except ImportError:
        print("  (anjana is not installed)")
        return
    levels = {}
    for name in QUASI:
        values = frame[name].to_numpy()
        steps = [values] + [(values // width) * width for width in (5, 10, 20, 40)]
        levels[name] = {i: step for i, step in enumerate(steps)}
        levels[name][len(steps)] = [0] * len(values)
    peer, _ = best(lambda: k_anonymity(frame.copy(), [], QUASI, 10, 50, levels), 1)
    record(f"{PEER_ROWS} rows of pandas: anjana k_anonymity, full domain", "seconds", peer, "s", own, "covey")


def main() -> None:
    program, folder = sys.argv[1:3]
    rows = int(sys.argv[3]) if len(sys.argv) > 3 else 1_000_000
    path = os.path.join(folder, "python.csv")
    warnings.simplefilter("ignore")
    subprocess.run([program, "generate", "census", "--rows", str(rows), "--seed", "1", "-o", path, "--quiet"], check=True)
    print(f"\nPython package, {rows} rows of census x 6")
    clock = [sys.executable, "-c", "import time; t = time.perf_counter(); import covey; print(1000 * (time.perf_counter() - t))"]
    record("import covey", "milliseconds", min(float(subprocess.run(clock, capture_output=True, text=True).stdout) for _ in range(10)), "ms")
    seconds, peak = by_command(program, path, folder)
    record("the command, from CSV to the verified release", "seconds", seconds, "s")

    import pyarrow.csv

    table = pyarrow.csv.read_csv(path)
    whole, release = best(lambda: anonymize(table), 9)
    record("covey.anonymize, from Arrow to the verified release", "seconds", whole, "s", seconds, "the command")
    record("the same, beside the library's own seconds", "seconds", whole, "s", release.result["seconds"]["total"], "these")
    used, own = memory_of_call(table, folder)
    record("peak memory of the command", "megabytes", peak, "MB")
    record("the Arrow table, as the process has it", "megabytes", own, "MB")
    record("peak memory of table and call, beside the interpreter", "megabytes", used, "MB", peak + own, "command + table")
    with_peer(path)


if __name__ == "__main__":
    main()
