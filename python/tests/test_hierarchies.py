"""Hierarchies from data frames, mappings and files: the same release, and complaints in the caller's words."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pandas
import polars
import pyarrow
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import covey
from conftest import published, write_csv

PEOPLE = {
    "zip": [11, 12, 13, 14, 15, 16, 16, 17],
    "age": [20, 30, 40, 50, 60, 70, 70, 20],
    "disease": ["flu", "cold", "gout", "flu", "cold", "gout", "flu", "flu"],
}
LINES = [
    ("11", "1a", "north", "*"),
    ("12", "1a", "north", "*"),
    ("13", "1b", "north", "*"),
    ("14", "2a", "south", "*"),
    ("15", "2a", "south", "*"),
    ("16", "2b", "south", "*"),
    ("17", "2b", "south", "*"),
]
TREE = {"*": {"north": {"1a": [11, 12], "1b": [13]}, "south": {"2a": [14, 15], "2b": {"16": None, "17": None}}}}
PARENTS = {line[at]: line[at + 1] for line in LINES for at in range(3)}
KEYS: dict[str, Any] = {
    "sensitive": "disease",
    "privacy": [covey.KAnonymity(2), covey.DistinctLDiversity(2)],
    "method": "mondrian",
    "seed": 3,
}
FRAME = pandas.DataFrame(PEOPLE)


def release_with(hierarchy: Any, **keys: Any) -> dict[str, str]:
    return published(covey.anonymize(FRAME, **{**KEYS, "quasi": {"zip": hierarchy, "age": None}, **keys}))


def write_arx(folder: Path, lines: list[Any]) -> str:
    path = folder / "zip.csv"
    path.write_text("".join(";".join(map(str, line)) + "\n" for line in lines))
    return str(path)


@pytest.mark.parametrize(
    "hierarchy",
    [
        LINES,
        {"lines": LINES},
        pandas.DataFrame(LINES),
        pandas.DataFrame([(int(leaf), *above) for leaf, *above in LINES], index=list("gfedcba")),
        polars.DataFrame(LINES, orient="row"),
        pyarrow.table({str(at): [line[at] for line in LINES] for at in range(4)}),
        {line[0]: list(line[1:]) for line in LINES},
        {int(line[0]): line[1:] for line in LINES},
        PARENTS,
        {**PARENTS, "*": None},
        TREE,
    ],
)
def test_every_form_gives_the_release_of_the_file(hierarchy: Any, tmp_path: Path) -> None:
    expected = release_with(write_arx(tmp_path, LINES))
    assert "hierarchies/zip.csv" in expected
    assert release_with(hierarchy) == expected
    assert release_with(Path(write_arx(tmp_path, LINES))) == expected
    attributes = [{"name": "zip", "role": "quasi-identifier", "hierarchy": hierarchy}, {"name": "age", "role": "quasi-identifier"}]
    assert release_with(None, quasi=None, attributes=attributes) == expected


def test_leaves_may_lie_at_different_depths(tmp_path: Path) -> None:
    unequal = {"*": {"north": [11, 12, 13], "south": {"2a": [14, 15], "2b": [16]}, 17: None}}
    lines = [[11, 11, "north", "*"], [12, 12, "north", "*"], [13, 13, "north", "*"], [14, "2a", "south", "*"]]
    lines += [[15, "2a", "south", "*"], [16, "2b", "south", "*"], [17, 17, 17, "*"]]
    assert release_with(unequal) == release_with(write_arx(tmp_path, lines))


def test_cells_are_those_of_the_table(tmp_path: Path) -> None:
    days = pandas.to_datetime(["2024-02-29", "2024-03-01", "2024-03-02", "2024-03-31"])
    frame = pandas.DataFrame({"day": days, "size": [1.0, 0.5, None, 2.0], "s": ["u", "v", "u", "v"]})
    of_days = pandas.DataFrame({"day": days, "month": ["feb", "mar", "mar", "mar"], "root": "*"})
    of_sizes = pandas.DataFrame({"size": frame["size"], "kind": ["a", "a", "*", "b"], "root": "*"})
    keys: dict[str, Any] = {"sensitive": "s", "privacy": covey.KAnonymity(2), "seed": 1, "method": "mondrian"}
    release = covey.anonymize(frame, quasi={"day": of_days, "size": of_sizes}, **keys)
    data = write_csv(
        tmp_path / "data.csv",
        {"day": ["2024-02-29", "2024-03-01", "2024-03-02", "2024-03-31"], "size": ["1.0", "0.5", None, "2.0"], "s": ["u", "v", "u", "v"]},
    )
    (tmp_path / "day.csv").write_text("2024-02-29;feb;*\n2024-03-01;mar;*\n2024-03-02;mar;*\n2024-03-31;mar;*\n")
    (tmp_path / "size.csv").write_text('1.0;a;*\n0.5;a;*\n"";*;*\n2.0;b;*\n')
    files = {"day": tmp_path / "day.csv", "size": tmp_path / "size.csv"}
    assert published(release) == published(covey.anonymize(data, quasi=files, **keys))


def test_the_yaml_says_it_both_ways(tmp_path: Path) -> None:
    policy = covey.Policy(quasi={"zip": pandas.DataFrame(LINES)}, sensitive={"disease": TREE}, others="drop")
    policy.write(tmp_path / "policy.yaml")
    again = covey.Policy.read(tmp_path / "policy.yaml")
    assert again == policy and again.to_yaml() == policy.to_yaml()
    assert again.to_dict()["attributes"][0]["hierarchy"]["lines"][0] == [11, "1a", "north", "*"]


@pytest.mark.filterwarnings("ignore::covey.CoveyWarning")
@settings(max_examples=30, deadline=None)
@given(st.lists(st.text(st.characters(exclude_categories=["Cs", "Cc"]), min_size=1, max_size=6), min_size=2, max_size=6, unique=True))
def test_any_labels_come_through(labels: list[str]) -> None:
    leaves = [f"l{at}" + label for at, label in enumerate(labels)]
    frame = pandas.DataFrame({"q": leaves * 2, "s": ["u"] * len(leaves) + ["v"] * len(leaves)})
    hierarchy = {leaf: [f"{at % 2}{labels[at % 2]}", "r" + labels[-1]] for at, leaf in enumerate(leaves)}
    keys: dict[str, Any] = {"sensitive": "s", "privacy": covey.KAnonymity(2 * len(leaves)), "seed": 1, "others": "drop"}
    table = covey.anonymize(frame, quasi={"q": hierarchy}, **keys).to_pandas()
    assert set(table["q"]) == {"r" + labels[-1]}


def test_a_hundred_thousand_leaves(tmp_path: Path) -> None:
    n = 100_000
    lines = [(at, f"h{at // 100}", f"t{at // 10000}", "*") for at in range(n)]
    frame = pandas.DataFrame({"zip": range(n), "age": 1, "disease": ["u", "v"] * (n // 2)})
    keys = {**KEYS, "quasi": {"zip": pandas.DataFrame(lines)}, "others": "drop"}
    expected = {**keys, "quasi": {"zip": write_arx(tmp_path, lines)}}
    assert published(covey.anonymize(frame, **keys)) == published(covey.anonymize(frame, **expected))


@pytest.mark.parametrize(
    ("hierarchy", "said", "row"),
    [
        ({"maks": 5}, 'quasi["zip"]["maks"]: unknown key in a hierarchy: "maks"; did you mean "mask"?', None),
        ({"mask": 0}, 'quasi["zip"]["mask"]: mask must be a whole number', None),
        (pandas.DataFrame([*LINES, LINES[0]]), 'quasi["zip"], row 8: the value "11" is listed already in row 1', 8),
        ({"a": ["x", "*"], "b": ["x", "r"]}, 'quasi["zip"], leaf "b": the root is "r" here but "*" in leaf "a"', None),
        ({"a": "b", "b": "a", "c": "a"}, 'quasi["zip"]: the parents lead round in a circle', None),
        ({"a": "b", "b": "a"}, "circle", None),
        ({}, 'quasi["zip"]: the hierarchy is empty', None),
        ([], 'quasi["zip"]: the hierarchy is empty', None),
        (5, 'quasi["zip"]: int is no hierarchy', None),
        ({"a": ["*"], "b": "*"}, "mixed", None),
        ({"a": {"b": ["c"]}, "d": {}}, "mixed", None),
        ([("11",)], 'quasi["zip"], row 1: a line must be a list', 1),
        (pandas.DataFrame([("11", None, "*")]), 'quasi["zip"], row 1: a label above the value is empty', 1),
        (pandas.DataFrame({"a": [["11"]], "b": ["*"]}), 'quasi["zip"]', None),
        (pandas.DataFrame(LINES[:3]), "4 values that the hierarchy does not list", None),
        ("nothing.csv", "nothing.csv", None),
    ],
)
def test_what_is_none_is_said_in_the_callers_words(hierarchy: Any, said: str, row: int | None) -> None:
    with pytest.raises(covey.InputError) as caught:
        release_with(hierarchy)
    assert said in str(caught.value) and "policy" not in str(caught.value).split(":")[0]
    assert row is None or (caught.value.row, caught.value.column, caught.value.file) == (row, "zip", None)


@pytest.mark.parametrize(
    ("keys", "said"),
    [
        ({"privacy": [covey.KAnonymity(2), {"model": "k-anonimity"}]}, 'privacy[1]["model"]: '),
        ({"privacy": covey.KAnonymity(0)}, 'privacy[0]["k"]: '),
        ({"method": {"name": "mondrian", "cut": "lax"}}, 'method["cut"]: '),
        ({"suppression": 3}, 'suppression["limit"]: '),
        ({"quasi": ["zipp"]}, 'quasi["zipp"]: <DataFrame> has no column "zipp"; did you mean "zip"?'),
        ({"others": "dorp"}, "others: "),
        ({"attributes": [{"name": "age", "role": "quasi"}], "quasi": None}, 'attributes[0]["role"]: '),
        ({"groups": {"by": ["zip", {"atribute": "zip"}]}}, 'groups["by"][1]["atribute"]: '),
    ],
)
def test_complaints_about_keywords_name_them(keys: dict[str, Any], said: str) -> None:
    with pytest.raises(covey.InputError) as caught:
        release_with(None, **keys)
    assert str(caught.value).startswith(said)
    assert caught.value.file is None and caught.value.row is None
