"""covey.combinations counts what covey inspect counts, and what a plain program would."""

from __future__ import annotations

from collections import Counter
from itertools import combinations
from pathlib import Path

import pytest

import covey
from conftest import PEOPLE, write_csv

pyarrow = pytest.importorskip("pyarrow")


def test_rows_that_are_alone_are_counted_for_every_set() -> None:
    columns = {"a": [1, 1, 2, None, None], "b": ["x", "y", "x", "x", "x"], "c": [1, 1, 1, 2, 3]}
    found = covey.combinations(pyarrow.table(columns))
    rows = list(zip(*columns.values()))
    for item in found:
        at = [list(columns).index(name) for name in item["columns"]]
        keys = Counter(tuple(row[i] for i in at) for row in rows)
        assert item["unique_rows"] == sum(n == 1 for n in keys.values())
        assert item["uniqueness"] == item["unique_rows"] / 5
    assert [len(item["columns"]) for item in found] == [1, 1, 1, 2, 2, 2, 3]
    assert len({tuple(item["columns"]) for item in found}) == sum(len(list(combinations("abc", n))) for n in (1, 2, 3))


def test_all_columns_together_are_those_of_inspect(tmp_path: Path) -> None:
    path = write_csv(tmp_path / "people.csv", PEOPLE)
    inspection = covey.inspect(path)
    quasi = [column["name"] for column in inspection.columns if column["role"] == "quasi-identifier"]
    found = covey.combinations(path, quasi, most=len(quasi))
    assert found[-1]["columns"] == quasi
    assert found[-1]["unique_rows"] == inspection.figures["quasi_identifiers"]["unique_rows"]


def test_it_can_be_stopped_and_complains() -> None:
    table = pyarrow.table({f"c{i}": [row % (i + 2) for row in range(20000)] for i in range(16)})
    with pytest.raises(covey.Cancelled):
        covey.combinations(table, most=6, progress=lambda phase, done, to_do: phase != "single out")
    with pytest.raises(covey.InputError, match="1000000 sets"):
        covey.combinations(pyarrow.table({f"c{i}": [1] for i in range(60)}), most=5)
    with pytest.raises(covey.InputError, match="together"):
        covey.combinations(table, most=0)
    table = pyarrow.table({"a": [1], "b, c": [2]})
    assert [found["columns"] for found in covey.combinations(table, ["b, c"])] == [["b, c"]]
    with pytest.raises(covey.InputError, match='no column "z"'):
        covey.combinations(table, ["z"])
    assert covey.combinations(pyarrow.table({"a": pyarrow.array([], pyarrow.int64())}))[0]["unique_rows"] == 0


def test_lines_of_a_hierarchy_and_presets(tmp_path: Path) -> None:
    path = write_csv(tmp_path / "people.csv", PEOPLE)
    lines = covey.hierarchy(path, "age", {"interval": {"from": 20, "to": 60, "widths": [10, 20]}})
    assert lines[3] == ["23", "20-29", "20-39", "*"]
    with pytest.raises(covey.InputError, match="no column|not a column|nothing"):
        covey.hierarchy(path, "nothing", {"mask": 2})
    assert {"cms11", "ema9"} <= {preset["name"] for preset in covey.presets()}
