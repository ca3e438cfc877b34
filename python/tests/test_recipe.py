"""The steps of a release for an engine that distributes work, without one: they give what `covey part` and `merge` give."""

from __future__ import annotations

import json
import os
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from conftest import write_csv

import covey
from covey import _core
from covey._data import Source

pyarrow = pytest.importorskip("pyarrow")

N = 1200
COLUMNS: dict[str, list[Any]] = {
    "age": [18 + i * 37 % 61 for i in range(N)],
    "zip": [f"{i * 53 % 40:05d}" if i % 97 else None for i in range(N)],
    "disease": [f"d{i * i % 7}" for i in range(N)],
}
POLICY: dict[str, Any] = {"quasi": ["age", "zip"], "sensitive": "disease", "input": {"path": "rows"}}
CASES = {
    "elastic": {"privacy": [{"model": "k-anonymity", "k": 5}], "method": "elastic"},
    "mondrian": {
        "privacy": [{"model": "k-anonymity", "k": 12}, {"model": "distinct-l-diversity", "l": 3}],
        "method": "mondrian",
        "suppression": "0.05",
    },
    "burel": {"privacy": [{"model": "enhanced-beta-likeness", "beta": 2}], "method": "burel"},
    "perturbation": {"privacy": [{"model": "enhanced-beta-likeness", "beta": 2}], "method": "perturbation"},
    "peel": {"privacy": [{"model": "k-anonymity", "k": 5}], "method": "peel"},
    "sabre": {"privacy": [{"model": "t-closeness", "t": "0.3", "distance": "equal"}], "method": "sabre"},
    "anatomy": {"privacy": [{"model": "probabilistic-l-diversity", "l": 3}], "method": "anatomy"},
}


def counted(values: list[Any]) -> Any:
    counts = Counter(values)
    return pyarrow.table({"value": list(counts), "count": list(counts.values())})


def plan(folder: Path, policy: covey.Policy, rows_per_part: int = 300) -> _core.Recipe:
    rows = Counter(zip(COLUMNS["age"], COLUMNS["zip"]))
    ages, zips = zip(*rows)
    sources = [Source(counted(values)) for values in COLUMNS.values()]
    sample = Source(pyarrow.table({"age": ages, "zip": zips, "n": list(rows.values())}))
    recipe = os.fsencode(folder / "recipe")
    n, said = _core.plan_counted(
        policy.to_yaml().encode(),
        os.fsencode(folder / "policy"),
        recipe,
        tuple(name.encode() for name in COLUMNS),
        tuple(source.name.encode() for source in sources),
        sample.name.encode(),
        N,
        0,
        rows_per_part,
    )
    assert n > 2 and all("no promise is about" in message for message in said)
    return _core.Recipe(recipe)


def deal(recipe: _core.Recipe, pieces: int) -> dict[int, list[bytes]]:
    """Rows in several batches, the last ones first."""
    table = pyarrow.table(COLUMNS)
    dealt: dict[int, list[bytes]] = {}
    size = -(-N // pieces)
    for begin in reversed(range(0, N, size)):
        source = Source(table.slice(begin, size))
        for part, _, rows in recipe.deal(source.name.encode()):
            dealt.setdefault(part, []).append(rows)
    assert recipe.changed(tuple(dealt.pop(0))) is None
    return dealt


def make(recipe: _core.Recipe, folder: Path, dealt: dict[int, list[bytes]], random: int | bytes) -> list[Path]:
    made = []
    for part, rows in sorted(dealt.items()):
        path = folder / f"own-{part}"
        with open(path, "wb") as file:
            recipe.make(file.fileno(), part, part, tuple(rows), random)
        made.append(path)
    return made


def join(recipe: _core.Recipe, folder: Path, made: list[Path]) -> tuple[dict[str, bytes], list[bytes], int, bytes | None]:
    """The text of all tables, without the headers of later ranges."""
    looks = [json.loads(recipe.look(os.fsencode(path), 4)) for path in made]
    suppressed = sum(look["rows"] - look["published_rows"] for look in looks)
    mark = 0
    for look in looks:
        mark |= int(look["marks"], 16)
    marks = mark.to_bytes(len(looks[0]["marks"]) // 2, "big") if suppressed else None
    keys = sorted({key for look in looks for key, _ in look["keys"]})
    splitters = tuple(key.encode() for key in keys[len(keys) // 3 :: len(keys) // 3][:2])
    pieces: list[list[bytes]] = [[] for _ in range(len(splitters) + 1)]
    for path in made:
        names = [f"{path}-{i}" for i in range(len(pieces))]
        files = [open(name, "wb") for name in names]
        recipe.cut(os.fsencode(path), splitters, tuple(file.fileno() for file in files))
        for i, (name, file) in enumerate(zip(names, files)):
            file.close()
            pieces[i].append(os.fsencode(name))
    tables: dict[str, bytes] = {}
    sums, first = [], 0
    for i, names in enumerate(pieces):
        where = folder / f"range-{i}"
        where.mkdir()
        found, classes = recipe.join(tuple(names), marks, suppressed, first, os.fsencode(where))
        sums.append(found)
        first += classes
        for file in sorted(where.iterdir()):
            text = file.read_bytes()
            tables[file.name] = text if i == 0 or file.name == "perturbation.csv" else tables[file.name] + text.split(b"\n", 1)[1]
    return tables, sums, suppressed, marks


@pytest.mark.parametrize("name", CASES)
def test_the_steps_give_what_the_commands_give(name: str, tmp_path: Path, command: Callable[..., tuple[int, Any]]) -> None:
    recipe = plan(tmp_path, covey.Policy(**POLICY, **CASES[name]))
    made = make(recipe, tmp_path, deal(recipe, 5), 7)
    tables, sums, suppressed, marks = join(recipe, tmp_path, made)
    write_csv(tmp_path / "rows.csv", COLUMNS)
    path = str(tmp_path / "recipe")
    parts = [str(tmp_path / f"part-{i + 1}") for i in range(recipe.n_parts)]
    for i, part in enumerate(parts):
        assert command("part", path, str(i + 1), str(tmp_path / "rows.csv"), "--seed=7", f"--output={part}")[0] == 0
    whole = tmp_path / "whole"
    assert command("merge", path, *parts, f"--output={whole}")[0] == 0
    assert tables == {file: (whole / file).read_bytes() for file in tables}
    # The rest of the release: the manifest says the same, whoever has added up.
    manifest = json.loads((whole / "manifest.json").read_text())
    files = tuple(
        (f["name"].encode(), f["rows"], 0, False, f["bytes"], bytes.fromhex(f["sha256"]))
        for f in manifest["files"]
        if f["name"] in tables
    )
    rest = tmp_path / "rest"
    rest.mkdir()
    recipe.finish(tuple(sums), marks, suppressed, files, os.fsencode(rest))
    own = json.loads((rest / "manifest.json").read_text())
    assert own["promises"] == manifest["promises"] and own["classes"] == manifest["classes"]
    assert own["utility"] == pytest.approx(manifest["utility"], nan_ok=True)
    assert {key: own[key] for key in own if key != "utility" and key != "objective"} == {
        key: manifest[key] for key in manifest if key != "utility" and key != "objective"
    }


def test_a_secret_gives_the_same_part_again_and_another_one_another(tmp_path: Path) -> None:
    recipe = plan(tmp_path, covey.Policy(**POLICY, **CASES["perturbation"]))
    found = []
    for i, (secret, batches) in enumerate(((b"a" * 32, 5), (b"a" * 32, 2), (b"b" * 32, 2))):
        folder = tmp_path / str(i)
        folder.mkdir()
        found.append([path.read_bytes() for path in make(recipe, folder, deal(recipe, batches), secret)])
    assert found[0] == found[1]
    assert found[0] != found[2]


def test_other_rows_of_known_values_are_noticed(tmp_path: Path) -> None:
    recipe = plan(tmp_path, covey.Policy(**POLICY, **CASES["elastic"]))

    def changed(**columns: list[Any]) -> str | None:
        source = Source(pyarrow.table({**COLUMNS, **columns}))
        return recipe.changed((recipe.deal(source.name.encode())[0][2],))

    assert changed() is None
    ages = COLUMNS["age"]
    assert changed(age=ages[::-1]) is None, "the values are the same"
    assert changed(age=[ages[1], *ages[1:]]) == "age"
    assert changed(age=[ages[0] + 1, ages[1] - 1, *ages[2:]]) == "age", "the sum of the values is the same"
    assert changed(disease=[COLUMNS["disease"][1], *COLUMNS["disease"][1:]]) == "disease"
    assert changed(zip=["00013", *COLUMNS["zip"][1:]]) == "zip"
    assert recipe.changed(()) == "age", "nothing was dealt"
    with pytest.raises(ValueError, match="no sums"):
        recipe.changed((b"123",))


def test_what_is_not_of_the_recipe_is_refused(tmp_path: Path) -> None:
    recipe = plan(tmp_path, covey.Policy(**POLICY, **CASES["elastic"]))
    other = Source(pyarrow.table({**COLUMNS, "age": [9] * N}))
    with pytest.raises(_core.CoreError, match="the plan does not know this value"):
        recipe.deal(other.name.encode())
    with pytest.raises(_core.CoreError, match="parts 1 to"):
        recipe.make(0, 99, 99, (), None)
    made = make(recipe, tmp_path, deal(recipe, 1), 7)
    with pytest.raises(_core.CoreError, match="splitter 1 is no key"):
        with open(tmp_path / "piece", "wb") as file:
            recipe.cut(os.fsencode(made[0]), (b"x",), (file.fileno(), file.fileno()))
    _, sums, suppressed, marks = join(recipe, tmp_path, made)
    (tmp_path / "rest").mkdir()
    with pytest.raises(_core.CoreError, match="the ranges publish"):
        recipe.finish(tuple(sums[1:]), marks, suppressed, (), os.fsencode(tmp_path / "rest"))


def test_persons_with_several_rows_are_not_planned_by_counts(tmp_path: Path) -> None:
    """Promises over persons need to know whose each row is: a plan without that would promise something else."""
    policy = covey.Policy(**{**POLICY, "quasi": ["age"], "entity": "zip"}, privacy=[{"model": "k-anonymity", "k": 2}], method="mondrian")
    why = _core.plan_check(policy.to_yaml().encode(), b"policy")
    assert why and "rows of a unit would lie in several" in why
    with pytest.raises(_core.CoreError, match="rows of a unit would lie in several"):
        plan(tmp_path, policy)
