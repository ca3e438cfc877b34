"""Files made to do harm: each is a table or an InputError, and this process lives on."""

from __future__ import annotations

import faulthandler
import os
import random
import signal
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest

import covey

pytest.importorskip("pyarrow")
pandas = pytest.importorskip("pandas")
pyreadstat = pytest.importorskip("pyreadstat")
pytest.importorskip("python_calamine")
pytest.importorskip("xlsxwriter")

from covey._files import child, parse, sheets, statistics  # noqa: E402

CASES = 200
SECONDS = 20.0


def sample(path: Path) -> bytes:
    frame = pandas.DataFrame({"a": range(50), "b": [f"text {i}" for i in range(50)]})
    labels = {"a": {1: "one", 2: "two"}}
    if path.suffix in (".sav", ".zsav"):
        pyreadstat.write_sav(frame, str(path), variable_value_labels=labels, compress=path.suffix == ".zsav")
    elif path.suffix == ".dta":
        pyreadstat.write_dta(frame, str(path), variable_value_labels=labels)
    elif path.suffix == ".xpt":
        pyreadstat.write_xport(frame, str(path))
    else:
        frame.to_excel(path, index=False, engine="xlsxwriter")
    return path.read_bytes()


def forked(wish: str, out: int, seconds: float, goes_on: Callable[[], bool] | None, path: str) -> int:
    """The child's own work in a fork, which starts in no time."""
    pid = os.fork()
    if pid == 0:
        faulthandler.disable()  # pytest's: a crash is what some files are for
        sys.argv[1:] = [wish]
        os._exit(parse.main())
    end = time.monotonic() + SECONDS
    while time.monotonic() < end:
        done, status = os.waitpid(pid, os.WNOHANG)
        if done:
            return os.waitstatus_to_exitcode(status)
        time.sleep(0.002)
    os.kill(pid, signal.SIGKILL)
    os.waitpid(pid, 0)
    return -signal.SIGKILL


@pytest.mark.filterwarnings("ignore::DeprecationWarning")  # forks beside threads
@pytest.mark.parametrize("ending", [".sav", ".zsav", ".dta", ".xpt", ".xlsx"])
def test_flipped_and_cut_files_do_no_harm(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, ending: str) -> None:
    whole, path = sample(tmp_path / f"whole{ending}"), tmp_path / f"hostile{ending}"
    statistics.load("sav"), sheets.load("xlsx")
    monkeypatch.setattr(child, "_run", forked)
    refused = 0
    rng = random.Random(ending)
    for case in range(CASES // 5):
        bytes_ = bytearray(whole[: rng.randrange(len(whole)) if case % 4 == 0 else len(whole)])
        for _ in range(rng.randrange(1, 30) if bytes_ else 0):
            bytes_[rng.randrange(len(bytes_))] = rng.randrange(256)
        path.write_bytes(bytes_)
        try:
            assert covey.read(path).num_columns > 0
        except covey.InputError as error:
            assert error.file == str(path) and str(error).startswith(str(path))
            refused += 1
    assert refused > 0


def started(monkeypatch: pytest.MonkeyPatch, code: str) -> None:
    """A child that does this instead of its work."""
    monkeypatch.setattr(child, "_START", f"import os, sys, time; path = {{path!r}}; {code}")


@pytest.mark.parametrize(
    ("code", "says"),
    [
        ("os.kill(os.getpid(), 11)", r"the parser crashed \(signal 11\)"),
        ("sys.exit(1)", r"the parser crashed \(exit code 1\)"),
        ("time.sleep(60)", "more than 1 seconds"),
        ("sys.exit(0)", "is no table"),
        (
            "os.write(int(sys.argv[1].split('out\": ')[1].split(',')[0]), b'ARROW1' + bytes(90)); sys.exit(0)",
            "is no table",
        ),
    ],
)
def test_a_crash_a_hang_and_a_lie_are_input_errors(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, code: str, says: str
) -> None:
    sample(tmp_path / "a.sav")
    started(monkeypatch, code)
    with pytest.raises(covey.InputError, match=says) as caught:
        covey.read(tmp_path / "a.sav", time_limit=1 if "sleep" in code else 60)
    assert caught.value.file == str(tmp_path / "a.sav") and caught.value.code == 2


def test_a_memory_bomb_meets_its_limit(tmp_path: Path) -> None:
    path = tmp_path / "bomb.zsav"
    frame = pandas.DataFrame({f"c{i}": [1.5] * 100_000 for i in range(20)})
    pyreadstat.write_sav(frame, str(path), compress=True)
    assert os.path.getsize(path) < 1 << 20
    with pytest.raises(covey.InputError, match="memory|crashed|cannot be read"):
        covey.read(path, memory_limit=64 << 20)
    assert covey.read(path).num_rows == 100_000


def test_a_transport_file_that_is_cut_off_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "whole.xpt"
    whole = sample(path)
    (tmp_path / "cut.xpt").write_bytes(whole[: len(whole) // 160 * 80 + 8])  # its library reads the rows that are left
    with pytest.raises(covey.InputError, match="cut.xpt: is cut off"):
        covey.read(tmp_path / "cut.xpt")
    assert covey.read(path).num_rows == 50


def test_reading_stops_when_it_is_cancelled(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    sample(tmp_path / "a.sav")
    started(monkeypatch, "time.sleep(60)")
    start = time.monotonic()
    with pytest.raises(covey.Cancelled):
        covey.inspect(str(tmp_path / "a.sav"), progress=lambda phase, done, to_do: False)
    assert time.monotonic() - start < 30


def test_nothing_of_a_file_is_left_behind(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    scratch = tmp_path / "tmp"
    scratch.mkdir()
    monkeypatch.setenv("TMPDIR", str(scratch))
    monkeypatch.setattr("tempfile.tempdir", None)
    sample(tmp_path / "a.sav")
    n_open = len(os.listdir("/proc/self/fd"))
    covey.read(tmp_path / "a.sav")
    started(monkeypatch, "os.kill(os.getpid(), 9)")
    with pytest.raises(covey.InputError, match="killed"):
        covey.read(tmp_path / "a.sav")
    assert os.listdir(scratch) == [] and len(os.listdir("/proc/self/fd")) <= n_open
