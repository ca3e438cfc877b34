"""The package says of which types everything is, and mypy believes it."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]


def test_mypy_has_nothing_to_say(tmp_path: Path) -> None:
    pytest.importorskip("mypy")
    words = ["--strict", "--no-error-summary", "--config-file", str(ROOT / "pyproject.toml"), "--cache-dir", str(tmp_path)]
    done = subprocess.run([sys.executable, "-m", "mypy", *words, "python/covey"], cwd=ROOT, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr


PROGRAM = """from __future__ import annotations

from pathlib import Path
from typing import Any

import pandas
import polars

import covey


def told(phase: str, done: int, to_do: int) -> bool:
    return done < 10


def publish(frame: pandas.DataFrame, other: polars.DataFrame, target: Path) -> pandas.DataFrame:
    policy = covey.Policy(quasi={"age": None, "zip": {"mask": 5}}, sensitive="disease", privacy=[covey.KAnonymity(5), {"model": "t-closeness", "t": "0.2"}])
    policy.write(target / "policy.yaml")
    try:
        release = covey.anonymize(frame, policy, output=target / "release", force=True, seed=1, threads=2, progress=told, suppression=0.01)
    except covey.Infeasible as error:
        nearest: dict[str, Any] | None = error.nearest
        raise SystemExit(f"{error.code} {error.file} {error.row} {error.column} {nearest}") from error
    with covey.open(target / "release") as again:
        verdict: covey.Verdict = again.verify(other)
        holds: bool = verdict.holds and bool(verdict) and verdict.faithful is not False
    answer: covey.Answer = release.query("SELECT COUNT(*)")
    rows: list[dict[str, Any]] = [*answer.answers, *(answer.groups or []), *release.attack(frame, names=["homogeneity"], with_=release), *covey.models()]
    figures: dict[str, Any] = release.measure(other, queries=10)
    page: str = release.report(original=frame)
    first: covey.Policy = covey.inspect(frame).policy()
    print(holds, rows, figures, page, first.to_yaml(), covey.compare(other, policy).methods, covey.__version__)
    release.save(str(target / "copy")).write(target / "table.parquet")
    print(release.to_polars().schema, list(release.tables), release.form, release.promises, release.utility, release.manifest)
    return release.to_pandas()
"""


def test_programs_that_use_it_can_be_strict(tmp_path: Path) -> None:
    """Whoever checks their own program finds types in everything, and what is wrong."""
    pytest.importorskip("mypy")
    (tmp_path / "program.py").write_text(PROGRAM)
    (tmp_path / "wrong.py").write_text("import covey\n\ncovey.anonymize('x.csv', seed='one')\ncovey.KAnonymity()\ncovey.open('x').form + 1\n")
    words = [sys.executable, "-m", "mypy", "--strict", "--no-error-summary", "--cache-dir", str(tmp_path / "cache")]
    env = {**os.environ, "MYPYPATH": str(ROOT / "python")}
    for name in ("program", "wrong"):
        done = subprocess.run([*words, f"{name}.py"], cwd=tmp_path, env=env, capture_output=True, text=True)
        own = [line for line in done.stdout.splitlines() if line.startswith(f"{name}.py")]
        assert [line.split(":")[1] for line in own] == ([] if name == "program" else ["3", "4", "5"]), done.stdout
