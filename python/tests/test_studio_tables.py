"""What covey studio opens, without a browser: files of every kind, databases, releases and their originals."""

from __future__ import annotations

import gzip
import os
import shlex
import sqlite3
import subprocess
import threading
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import covey
from conftest import published, write_csv

pyarrow = pytest.importorskip("pyarrow")
pytest.importorskip("pyreadstat")
pytest.importorskip("xlsxwriter")
pytest.importorskip("python_calamine")

from covey._files import labels, writing
from covey._studio import command_line, tree_lines
from covey._studio.contest import candidates_of
from covey._studio.state import Studio

N = 200
COLUMNS: dict[str, list[Any]] = {
    "id": list(range(1, N + 1)),
    "age": [20 + i * 7 % 50 for i in range(N)],
    "zip": [f"0{1 + i % 4}{i % 10}{i * 3 % 10}0" for i in range(N)],
    "score": [i % 17 / 4 for i in range(N)],
    "disease": [("flu", "cold", "ache", "gout", "none")[i * i % 7 % 5] for i in range(N)],
}
ROLES = {"id": "identifier", "age": "quasi-identifier", "zip": "quasi-identifier", "score": "insensitive", "disease": "sensitive"}


def table_in(folder: Path, ending: str) -> str:
    """The same table, as a file of that kind."""
    if ending == "db":
        with sqlite3.connect(folder / "t.db") as base:
            base.execute("CREATE TABLE people (id INTEGER, age INTEGER, zip TEXT, score REAL, disease TEXT)")
            base.executemany("INSERT INTO people VALUES (?, ?, ?, ?, ?)", zip(*COLUMNS.values()))
        base.close()
        return f"sqlite:{folder}/t.db?table=people"
    path = str(folder / f"t.{ending}")
    if ending == "csv":
        return write_csv(folder / "t.csv", COLUMNS)
    writing.write(pyarrow.table(COLUMNS), labels.Codebook({}), path, False)
    return path


def opened(path: str) -> Studio:
    studio = Studio()
    studio.open(path)
    finish(studio)
    return studio


def finish(studio: Studio) -> None:
    assert studio.job is not None
    studio.job.wait(60)
    assert studio.job.state == "done", studio.job.error


def with_release(path: str) -> Studio:
    studio = opened(path)
    for column, role in ROLES.items():
        studio.set_role(column, role)
    studio.set_promises([{"model": "k-anonymity", "k": 4}])
    studio.method = {"name": "mondrian"}
    studio.anonymize()
    finish(studio)
    return studio


@pytest.mark.parametrize("ending", ["csv", "parquet", "feather", "sav", "dta", "xpt", "xlsx", "ods", "db"])
def test_a_table_of_any_kind_is_seen_published_and_compared(tmp_path: Path, ending: str) -> None:
    studio = with_release(table_in(tmp_path, ending))
    table, views, verdict = studio.table, studio.views, studio.verdict
    assert table is not None and views is not None and verdict is not None
    assert verdict.holds and verdict.faithful
    assert table.n_rows == N and table.page(3, 1)[0][1:3] == ["41", "04390"]
    for column in views.columns():
        assert sum(row["before"] for row in views.distribution(column["name"])) == N, column["name"]
    names = views.release.tables["table"].column_names
    assert views.pairs is not None
    for row, original in zip(views.page("table", 0, 9), views.pairs.originals(names, views.page("table", 0, 9))):
        assert original is not None and original["disease"] == dict(zip(names, row))["disease"]
    studio.end()


def test_a_sas_data_set_is_opened(tmp_path: Path) -> None:
    packed = Path(__file__).parent / "data" / "sample.sas7bdat.gz"
    (tmp_path / "sample.sas7bdat").write_bytes(gzip.decompress(packed.read_bytes()))
    studio = opened(str(tmp_path / "sample.sas7bdat"))
    assert studio.table is not None and len(studio.table.page(0, 3)) == 3


def test_a_policy_says_how_its_table_is_read(tmp_path: Path) -> None:
    rows = [f" {age} ; ? ;{value}" for age, value in zip(COLUMNS["age"], COLUMNS["disease"])]
    (tmp_path / "t.csv").write_text("\n".join(rows) + "\n")
    (tmp_path / "p.yaml").write_text(
        "version: 1\ninput: {path: t.csv, delimiter: ';', header: false, names: [age, spare, disease], trim: true}\n"
        "attributes:\n  - {name: age, role: quasi-identifier}\n  - {name: disease, role: sensitive}\n"
        "others: drop\nprivacy: [{model: k-anonymity, k: 4}]\nmethod: {name: mondrian}\n"
    )
    studio = opened(str(tmp_path / "p.yaml"))
    assert studio.table is not None and studio.table.rows.column_names == ["age", "spare", "disease"]
    assert studio.table.page(0, 1) == [["20", "?", "flu"]]  # the policy calls nothing but empty cells missing
    assert studio.table.column("spare")["missing"] == 0
    # What the policy leaves to the others stays with them, unless it is given another role.
    assert studio.policy_keys()["others"] == "drop" and studio.policy().to_dict()["others"] == "drop"
    assert [item["name"] for item in studio.policy_keys()["attributes"]] == ["age", "disease"]
    studio.roles["spare"] = "insensitive"
    assert [item["name"] for item in studio.policy_keys()["attributes"]] == ["age", "spare", "disease"] and "others" not in studio.policy_keys()
    studio.roles["spare"] = "identifier"
    studio.anonymize()
    finish(studio)
    assert studio.verdict is not None and studio.verdict.faithful
    studio.end()


def test_the_original_of_a_received_release_is_put_beside_it(tmp_path: Path) -> None:
    path = table_in(tmp_path, "csv")
    made = with_release(path)
    assert made.release is not None
    made.release.save(tmp_path / "sent")
    studio = opened(str(tmp_path / "sent"))
    assert studio.verdict is not None and studio.views is not None
    assert studio.verdict.holds and studio.verdict.faithful is None and studio.views.pairs is None
    studio.compare_with(path)
    finish(studio)
    assert studio.verdict.faithful and studio.views.pairs is not None
    assert studio.command_line("x") == f"covey verify {tmp_path}/sent --original {path}"
    lines = Path(path).read_text().splitlines()
    (tmp_path / "other.csv").write_text("\n".join([*lines[:-1], lines[-1].replace("0", "1")]) + "\n")
    studio.compare_with(str(tmp_path / "other.csv"))
    assert studio.job is not None
    studio.job.wait(60)
    assert studio.job.state == "failed" and "is no image of" in str(studio.job.error)
    assert studio.verdict.holds and studio.verdict.faithful, "the verdict is that of the right table"
    studio.compare_with(str(tmp_path / "none.csv"))
    assert studio.job is not None
    studio.job.wait(60)
    assert studio.job.state == "failed" and "none.csv" in str(studio.job.error)
    for one in (made, studio):
        one.end()


@pytest.mark.parametrize("method", ["mondrian", "elastic", "anatomy", "full-domain"])
def test_the_line_makes_the_same_release(tmp_path: Path, method: str, command: Callable[..., Any]) -> None:
    """Byte by byte: under a seed, which the studio's own releases do not have."""
    studio = opened(table_in(tmp_path, "csv"))
    for column, role in ROLES.items():
        studio.set_role(column, role)
    studio.set_role("score", "quasi-identifier")
    studio.set_hierarchy("zip", {"mask": 5})
    studio.set_promises([{"model": "distinct-l-diversity", "l": 2, "attribute": "disease"}])
    if method in ("mondrian", "elastic", "full-domain"):
        studio.set_promises([*studio.promises, {"model": "k-anonymity", "k": 4}])
    studio.method = {"name": method}
    line = shlex.split(studio.command_line(str(tmp_path / "line")))
    assert line[:2] == ["covey", "anonymize"]
    subprocess.run([os.environ["COVEY_BIN"], *line[1:], "--quiet", "--seed", "7"], check=True)
    mine = covey.anonymize(None, studio.policy(), seed=7)
    assert published(mine) == published(covey.open(tmp_path / "line"))


def test_what_cannot_be_opened_leaves_what_was_there(tmp_path: Path) -> None:
    studio = with_release(table_in(tmp_path, "csv"))
    release, roles = studio.release, dict(studio.roles)
    (tmp_path / "bad.sav").write_bytes(b"$FL2" + bytes(50))
    for name in ("tt.csv", "bad.sav", "none-release"):
        studio.open(str(tmp_path / name))
        assert studio.job is not None
        studio.job.wait(60)
        assert studio.job.state == "failed"
        assert studio.release is release and studio.roles == roles and studio.path == str(tmp_path / "t.csv")
    studio.start("wait", lambda job: threading.Event().wait(1))
    with pytest.raises(covey.InputError, match="still going on"):
        studio.open(str(tmp_path / "t.csv"))
    assert studio.release is release
    studio.end()


def test_a_policy_of_columns_that_are_not_there_is_not_opened(tmp_path: Path) -> None:
    covey.Policy(input={"path": table_in(tmp_path, "csv")}, quasi=["diseases"], others="drop", privacy=covey.KAnonymity(2)).write(tmp_path / "p.yaml")
    studio = Studio()
    studio.open(str(tmp_path / "p.yaml"))
    assert studio.job is not None
    studio.job.wait(60)
    assert studio.job.state == "failed" and studio.table is None
    assert "has no column “diseases”, which the policy names; did you mean “disease”?" in str(studio.job.error)
    studio.end()


def test_only_a_policy_is_replaced_by_a_policy(tmp_path: Path) -> None:
    path = table_in(tmp_path, "csv")
    studio, before = with_release(path), Path(path).read_bytes()
    for force, said in ((False, "is there already"), (True, "not something that covey made")):
        with pytest.raises(covey.InputError, match=said):
            studio.save_policy(path, force)
    assert Path(path).read_bytes() == before
    studio.save_policy(str(tmp_path / "p.yaml"))
    with pytest.raises(covey.InputError, match="is there already"):
        studio.save_policy(str(tmp_path / "p.yaml"))
    studio.save_policy(str(tmp_path / "p.yaml"), True)
    studio.end()


def test_persons_may_be_part_of_households(tmp_path: Path, command: Callable[..., Any]) -> None:
    n = 120
    path = write_csv(
        tmp_path / "visits.csv",
        {"home": [i // 6 for i in range(n)], "who": [i // 2 for i in range(n)], "age": [20 + i // 6 for i in range(n)], "ill": [("flu", "cold", "ache")[i % 3] for i in range(n)]},
    )
    studio = opened(path)
    for column, role in {"home": "insensitive", "who": "entity", "age": "quasi-identifier", "ill": "sensitive"}.items():
        studio.set_role(column, role)
    studio.set_within("home")
    assert studio.roles["home"] == "identifier"
    studio.set_promises([{"model": "k-anonymity", "k": 4}])
    studio.method = {"name": "mondrian"}
    studio.anonymize()
    assert studio.job is not None
    studio.job.wait(60)
    assert studio.release is not None and studio.verdict is not None and studio.verdict.holds, studio.job.error
    assert studio.verdict.units is not None and studio.verdict.units["proven"]
    words = shlex.split(studio.command_line(str(tmp_path / "made")))
    assert command(*words[1:])[0] == 0
    made = covey.open(tmp_path / "made")
    assert published(made) == published(studio.release) and made.verify(path, entity="who", within="home").units == studio.verdict.units
    studio.save_policy(str(tmp_path / "policy.yaml"))
    again = opened(str(tmp_path / "policy.yaml"))
    assert again.within == "home" and again.policy() == studio.policy()
    studio.set_role("home", "insensitive")
    assert studio.within == "" and "within" not in studio.policy().to_yaml()
    again.set_role("who", "identifier")
    assert again.within == "" and "within" not in again.policy().to_yaml()
    for one in (studio, again):
        one.end()


def test_a_candidate_whose_time_was_over_says_so(tmp_path: Path) -> None:
    path = table_in(tmp_path, "csv")
    keys = {"input": {"path": path}, "attributes": [{"name": name, "role": role} for name, role in ROLES.items()], "privacy": [{"model": "k-anonymity", "k": 4}]}
    for limit, is_stopped in ((0, True), (600, False)):
        [candidate] = candidates_of({**keys, "method": {"name": "optimal-partition", "time-limit": limit}}, ["optimal-partition"], None, [])
        candidate.run(path, lambda phase, done, to_do: True)
        assert candidate.release is not None and candidate.is_stopped == is_stopped, candidate.reason


def test_the_line_names_a_policy_that_says_what_is_wished(tmp_path: Path) -> None:
    studio = with_release(table_in(tmp_path, "csv"))
    studio.change_hierarchy("disease", [[value, "some", "*"] for value in sorted(set(COLUMNS["disease"]))])
    assert studio.needs_policy_file()
    studio.save_policy(str(tmp_path / "p.yaml"))
    assert not studio.needs_policy_file() and str(tmp_path / "p.yaml") in studio.command_line("x")
    studio.promises[0]["k"] = 17
    assert studio.needs_policy_file() and str(tmp_path / "p.yaml") not in studio.command_line("x")
    studio.end()


def test_a_hierarchy_has_every_value_of_its_column(tmp_path: Path) -> None:
    studio = opened(table_in(tmp_path, "csv"))
    with pytest.raises(covey.InputError, match='Column “disease”: \\d of its values are not in the hierarchy: '):
        studio.change_hierarchy("disease", [["flu", "*"], ["x", "*"]])
    assert "disease" not in studio.hierarchies
    lines = [["1", "a", "b", "*"], ["2", "c", "d", "*"]]
    assert tree_lines.put(lines, 0, "1", 1, "c")[0] == ["1", "c", "d", "*"]
    with pytest.raises(covey.InputError, match="is not of the level above"):
        tree_lines.put(lines, 0, "1", 2, "d")
    studio.end()


PROMISES: dict[str, list[dict[str, Any]]] = {
    "anatomy": [{"model": "distinct-l-diversity", "l": 2}],
    "burel": [{"model": "enhanced-beta-likeness", "beta": 2}],
    "distribution": [{"model": "p-private", "target": "uniform"}],
    "ke-permutation": [{"model": "ke-anonymity", "k": 3, "e": 1}],
    "perturbation": [{"model": "enhanced-beta-likeness", "beta": 2}],
    "sabre": [{"model": "t-closeness", "t": "0.3"}],
    "slicing": [{"model": "sliced-l-diversity", "l": 2}],
}


@pytest.mark.parametrize("method", [method["name"] for method in covey.methods() if method["name"] != "m-invariance"])  # which needs a ledger
def test_the_studio_knows_which_methods_draw(tmp_path: Path, method: str) -> None:
    """Then its line makes another release than the one that is shown, and says so."""
    sensitive = "score" if method in ("distribution", "ke-permutation") else "disease"
    roles = {"age": "quasi-identifier", "zip": "quasi-identifier", sensitive: "sensitive"}
    policy = covey.Policy.from_dict(
        {
            "version": 1,
            "attributes": [{"name": name, "role": role} for name, role in roles.items()],
            "others": "drop",
            "privacy": PROMISES.get(method, [{"model": "k-anonymity", "k": 20}]),
            "method": {"name": method},
        }
    )
    path = table_in(tmp_path, "csv")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", covey.CoveyWarning)
        made = [published(covey.anonymize(path, policy)) for _ in range(3)]
    assert any(one != made[0] for one in made) == (method in command_line.DRAWN)
