"""One seed, one release: every method gives of a table in memory what the command gives of the same table as CSV."""

from __future__ import annotations

import datetime
import decimal
import random
import sqlite3
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import covey
from conftest import published, write_csv

pyarrow = pytest.importorskip("pyarrow")

N = 600
BETA = [{"model": "enhanced-beta-likeness", "beta": 4}]
CLASSES = [covey.KAnonymity(4), covey.DistinctLDiversity(2, attribute="disease")]
CASES: dict[str, dict[str, Any]] = {
    "elastic": {"privacy": [covey.KAnonymity(4), covey.ProbabilisticLDiversity(2)], "suppression": "0.1"},
    "peel": {"privacy": CLASSES, "suppression": "0.1"},
    "mondrian": {"privacy": CLASSES, "suppression": "0.1", "method": {"name": "mondrian", "refine": "local"}},
    "optimal-partition": {"privacy": [covey.KAnonymity(40)], "suppression": "0.1", "method": {"name": "optimal-partition", "time-limit": 1}, "quasi": ["age"]},
    "full-domain": {"privacy": CLASSES, "suppression": "0.1"},
    "burel": {"privacy": BETA},
    "sabre": {"privacy": [covey.TCloseness("0.4")]},
    "anatomy": {"privacy": [covey.ProbabilisticLDiversity(3)], "suppression": "0.1"},
    "slicing": {"privacy": [covey.SlicedLDiversity(2)], "suppression": "0.1"},
    "perturbation": {"privacy": BETA},
    "ke-permutation": {"privacy": [covey.KEAnonymity(3, "0.5")], "sensitive": "pay", "insensitive": ["disease", "seen"]},
    "distribution": {"privacy": [covey.PPrivate("uniform")], "sensitive": "pay", "insensitive": ["disease", "seen"], "method": {"name": "distribution", "fakes": "200%"}},
}


def columns() -> dict[str, list[Any]]:
    """Rows with missing cells of every type, texts that look like numbers, and some that are far from all others."""
    rng = random.Random(24)
    far = [i >= N - 6 for i in range(N)]
    day = datetime.date(1960, 1, 1)
    return {
        "age": [None if rng.random() < 0.02 else 900 + i if far[i] else rng.randrange(18, 80) for i in range(N)],
        "zip": [None if rng.random() < 0.02 else f"{rng.choice([8, 80, 81]):03d}{rng.randrange(4):02d}" for i in range(N)],
        "born": [None if rng.random() < 0.02 else day + datetime.timedelta(rng.randrange(9000)) for _ in range(N)],
        "height": [None if rng.random() < 0.02 else rng.randrange(300, 400) / 200 for _ in range(N)],
        "pay": [decimal.Decimal(rng.randrange(40)) / 4 + decimal.Decimal("-1.05") for _ in range(N)],
        "disease": [rng.choice(["flu", "gout", "cold", 'a "b", c', "0012"]) for _ in range(N)],
        "seen": [None if rng.random() < 0.02 else datetime.datetime(2024, 5, rng.randrange(1, 28), rng.randrange(24)) for _ in range(N)],
    }


TYPES = {"age": pyarrow.int16(), "zip": pyarrow.string(), "born": pyarrow.date32(), "height": pyarrow.float64(), "pay": pyarrow.decimal128(9, 2), "disease": pyarrow.large_string(), "seen": pyarrow.timestamp("ms")}


def in_memory(cells: dict[str, list[Any]]) -> Any:
    """Several chunks; those of texts have dictionaries of their own."""

    def chunk(name: str, begin: int, end: int) -> Any:
        values = pyarrow.array(cells[name][begin:end], TYPES[name])
        return values.dictionary_encode() if name == "zip" else values

    ends = [0, 1, 200, 200, 431, N]
    return pyarrow.table({name: pyarrow.chunked_array([chunk(name, a, b) for a, b in zip(ends, ends[1:])]) for name in cells})


def as_text(name: str, value: Any) -> Any:
    if value is None or isinstance(value, str):
        return value
    return f"{value:.2f}" if name == "pay" else repr(value) if name == "height" else str(value)


def policy_for(name: str) -> covey.Policy:
    keys: dict[str, Any] = {"quasi": {"age": None, "zip": {"mask": 5}, "born": {"date": ["month", "year"]}, "height": None}, "sensitive": "disease", "insensitive": ["pay", "seen"], "method": name, "others": "drop"}
    if name == "full-domain":
        keys["quasi"] = {**keys["quasi"], "age": {"interval": {"from": 0, "to": 1600, "widths": [10, 100]}}, "height": {"cuts": [["1.6", "1.8"], ["1.8"]]}}
    if name == "slicing":
        keys["insensitive"] = []
    return covey.Policy(**{**keys, **CASES[name]})


def test_every_method_is_tried() -> None:
    assert set(CASES) | {"m-invariance"} == {method["name"] for method in covey.methods()}  # test_m_invariance.py


@pytest.mark.filterwarnings("ignore::covey.CoveyWarning")
@pytest.mark.parametrize("name", CASES)
def test_the_command_gives_the_same_release(name: str, command: Callable[..., tuple[int, Any]], tmp_path: Path) -> None:
    cells, policy = columns(), policy_for(name)
    write_csv(tmp_path / "table.csv", {key: [as_text(key, value) for value in values] for key, values in cells.items()})
    policy.replace(input={"path": str(tmp_path / "table.csv")}).write(tmp_path / "policy.yaml")
    code, said = command("anonymize", str(tmp_path / "policy.yaml"), "--seed", "11", "-o", str(tmp_path / "by-command"))
    assert code == 0, said
    table = in_memory(cells)
    release = covey.anonymize(table, policy, seed=11)
    assert published(release) == published(covey.open(tmp_path / "by-command"))
    assert release.result is not None and release.result["suppressed_rows"] == said["suppressed_rows"]
    assert release.manifest["seeded"] is True
    assert release.verify(table).faithful and release.verify(tmp_path / "table.csv").faithful


@pytest.mark.filterwarnings("ignore::covey.CoveyWarning")
def test_rows_are_suppressed_in_some_of_them() -> None:
    found = [covey.anonymize(in_memory(columns()), policy_for(name), seed=11).manifest["suppressed_rows"] for name in ("mondrian", "peel", "full-domain", "elastic")]
    assert max(found) > 0


@pytest.mark.filterwarnings("ignore::covey.CoveyWarning")
@pytest.mark.parametrize("name", ["mondrian", "full-domain", "burel", "anatomy", "perturbation", "ke-permutation", "distribution"])
def test_insensitive_numbers_are_numbers_to_queries_and_exports(name: str, tmp_path: Path) -> None:
    rng = random.Random(6)
    cells = {**columns(), "hours": [None if rng.random() < 0.1 else rng.randrange(8, 12) for _ in range(N)]}
    cells["hired"] = [datetime.date(2020, 1, 1) + datetime.timedelta(rng.randrange(20)) for _ in range(N)]
    table = in_memory(columns()).append_column("hours", pyarrow.array(cells["hours"])).append_column("hired", pyarrow.array(cells["hired"]))
    write_csv(tmp_path / "table.csv", {key: [as_text(key, value) for value in values] for key, values in cells.items()})
    policy = policy_for(name).replace(insensitive=["hours", "hired"])
    release = covey.anonymize(table, policy, seed=11)
    assert release.manifest == covey.anonymize(tmp_path / "table.csv", policy, seed=11).manifest
    types = {"hours": {"type": "integer"}, "hired": {"type": "date"}}
    attributes = [{**attribute, **types.get(attribute["name"], {})} for attribute in policy.to_dict()["attributes"]]
    typed = covey.anonymize(tmp_path / "table.csv", policy.replace(attributes=attributes), seed=11)
    for question in ("SUM(hours), AVG(hours), MAX(hours), MIN(hired)", "SUM(hours) WHERE hours >= 9 AND hired < '2020-01-12'", "COUNT(*) WHERE age < 40 AND hours <> 10 AND hired > '2020-01-03'"):
        assert release.query(f"SELECT {question}").answers == typed.query(f"SELECT {question}").answers, question
    release.export(f"sqlite:{tmp_path / 'release.db'}")
    [[declared]] = sqlite3.connect(tmp_path / "release.db").execute("SELECT sql FROM sqlite_master WHERE name IN ('table', 'quasi')")
    assert '"hours" INTEGER' in declared
    assert release.verify(table).faithful and release.verify(tmp_path / "table.csv").faithful
