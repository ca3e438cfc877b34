"""The package says of which types everything is, and mypy believes it."""

from __future__ import annotations

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
