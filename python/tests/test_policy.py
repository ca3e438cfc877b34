"""Policies: the same YAML both ways, whatever they are made from."""

from __future__ import annotations

import enum
from decimal import Decimal
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

import covey
from conftest import POLICY, published

TEXT = """version: 1
input:
  path: people.csv
  null: ["", "?"]
attributes:
  - {name: age, role: quasi-identifier, type: integer}
  - {name: zip, role: quasi-identifier, hierarchy: {mask: 5}}
  - {name: disease, role: sensitive}
others: drop
privacy:
  - {model: k-anonymity, k: 3}
  - {model: t-closeness, t: 0.60, attribute: disease}
method: {name: mondrian}
"""


def test_a_file_says_the_same_as_its_copy(people: str, tmp_path: Path) -> None:
    (tmp_path / "policy.yaml").write_text(TEXT)
    policy = covey.Policy.read(tmp_path / "policy.yaml")
    assert policy.to_yaml() == TEXT
    assert policy.to_dict()["privacy"][0] == {"model": "k-anonymity", "k": 3}
    assert policy.to_dict()["privacy"][1]["t"] == "0.60"
    (tmp_path / "below").mkdir()
    policy.write(tmp_path / "below" / "copy.yaml")
    copy = covey.Policy.read(tmp_path / "below" / "copy.yaml")
    assert copy.to_dict()["input"]["path"] == "../people.csv"
    expected = published(covey.anonymize(None, tmp_path / "policy.yaml", seed=3))
    assert published(covey.anonymize(None, policy, seed=3)) == expected
    assert published(covey.anonymize(None, copy, seed=3)) == expected
    assert published(covey.anonymize(people, policy.to_dict(), seed=3)) == expected


def test_what_is_made_is_what_is_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    policy = covey.Policy(
        quasi={"age": None, "zip": {"mask": 5}, "job": "jobs.csv"},
        sensitive="a: strange, name #1",
        identifier=["id", "naïve"],
        others="drop",
        privacy=[covey.KAnonymity(5), covey.TCloseness(Fraction(1, 3), distance="ordered"), covey.BasicBetaLikeness(Decimal("0.10"))],
        method={"name": "mondrian", "cut": "relaxed"},
        suppression=0.01,
        groups={"by": ["region", {"attribute": "zip", "level": 2}]},
    )
    policy.write(tmp_path / "policy.yaml")
    again = covey.Policy.read(tmp_path / "policy.yaml")
    assert again.to_dict()["attributes"][3] == {"name": "a: strange, name #1", "role": "sensitive"}
    assert [promise.get("t", promise.get("beta")) for promise in again.to_dict()["privacy"]] == [None, "1/3", "0.10"]
    assert again.to_yaml() == policy.to_yaml()


@pytest.mark.parametrize("text", ["", " ", "true", "null", "0123", "1e5", "-", "a:b", "#", "'", '"', "\\", "\n", "\t", "é", "😀", "\x85", "~", "x" * 300, "*a", "[b", "{", "? q", "! x", "%", "@"])
def test_any_text_comes_back(text: str, tmp_path: Path) -> None:
    covey.Policy(attributes=[{"name": "x", "order": [text]}]).write(tmp_path / "p.yaml")
    found = covey.Policy.read(tmp_path / "p.yaml").to_dict()["attributes"][0]["order"][0]
    assert (str(found).lower() if isinstance(found, bool) else str(found)) == text


class Level(enum.IntEnum):
    FEW = 5

    def __str__(self) -> str:
        return "FEW"


def test_numbers_of_other_classes_are_numbers() -> None:
    numpy = pytest.importorskip("numpy")
    for limit, text in ((numpy.float64(0.1), "0.1"), (numpy.float64("1e-7"), "0.0000001"), (numpy.float32(0.5), "0.5")):
        written = covey.Policy(suppression=limit, privacy=[{"model": "k-anonymity", "k": Level.FEW}]).to_yaml()
        assert f"limit: {text}}}" in written and "k: 5}" in written


def test_keys_win_over_the_policy(people: str) -> None:
    policy = covey.Policy(**{key: value for key, value in POLICY.items() if key != "seed"})
    release = covey.anonymize(people, policy, privacy=covey.KAnonymity(4), sensitive=[], insensitive=[], others="drop")
    assert [promise["model"] for promise in release.promises] == ["k-anonymity"]
    assert "income" not in release.manifest["columns"] or all(c["name"] != "income" for c in release.manifest["columns"])
    assert policy.to_dict()["privacy"][0]["k"] == 3


@pytest.mark.parametrize(
    ("text", "row", "said"),
    [("version: 1\nprivacy: [\n", 3, "3"), ("", None, "empty"), ("[1]", None, "mapping"), ("a: *b", 1, "1")],
)
def test_a_file_that_is_no_policy_is_refused(text: str, row: Any, said: str, tmp_path: Path) -> None:
    path = tmp_path / "p.yaml"
    path.write_text(text)
    with pytest.raises(covey.InputError, match=said) as caught:
        covey.Policy.read(path)
    assert caught.value.file == str(path)
    assert row is None or caught.value.row is not None


def test_complaints_about_a_file_name_its_lines(people: str, tmp_path: Path) -> None:
    (tmp_path / "policy.yaml").write_text(TEXT.replace("mask: 5", "musk: 5"))
    with pytest.raises(covey.InputError) as caught:
        covey.anonymize(people, tmp_path / "policy.yaml")
    assert caught.value.file == str(tmp_path / "policy.yaml") and caught.value.row == 7


@pytest.mark.parametrize(
    "keys, says",
    [
        ({"method": 5}, "method must be a name or a mapping"),
        ({"method": ["elastic"]}, "method must be a name or a mapping"),
        ({"quasi": 5}, "quasi must be names of columns"),
        ({"quasi": [{"name": "age", "type": "text"}]}, "other settings of a column go into `attributes`"),
        ({"attributes": {"name": "age"}}, "attributes must be a list of mappings"),
        ({"attributes": 5}, "attributes must be a list of mappings"),
        ({"privacy": covey.KAnonymity}, "is no promise"),
        ({"attributes": [{"role": "sensitive"}]}, r"attributes\[0\] has no name"),
    ],
)
def test_keys_of_a_wrong_kind_are_input_errors(keys: dict[str, Any], says: str) -> None:
    with pytest.raises(covey.InputError, match=says):
        covey.Policy(**keys)


@pytest.mark.parametrize("other", ["insensitive", "sensitive", "identifier"])
def test_a_column_has_one_role(other: str) -> None:
    """The last one must not win: a quasi-identifier would be published as it is."""
    with pytest.raises(covey.InputError, match='column "age" is to be .*: one column has one role'):
        covey.Policy(quasi=["age", "sex"], **{other: "age"})
    with pytest.raises(covey.InputError, match="one column has one role"):
        covey.Policy(attributes=[{"name": "age", "role": other}], quasi=["age"])
    moved = covey.Policy(quasi=["age", "sex"]).replace(**{other: ["age"]})
    assert {item["name"]: item["role"] for item in moved.to_dict()["attributes"]} == {"age": other, "sex": "quasi-identifier"}
    covey.Policy(attributes=[{"name": "age", "type": "integer"}], quasi=["age"])


def test_a_policy_that_cannot_be_written_says_so(tmp_path: Path) -> None:
    with pytest.raises(covey.SystemError_, match="No such file"):
        covey.Policy(quasi=["age"]).write(tmp_path / "none" / "p.yaml")


def test_what_is_no_policy_says_so(people: str) -> None:
    for wrong in ([1, 2], b"policy.yaml", 5):
        with pytest.raises(covey.InputError, match="is no policy"):
            covey.anonymize(people, wrong)  # type: ignore[arg-type]
    with pytest.raises(covey.InputError, match="progress is a function"):
        covey.anonymize(people, progress=5, **POLICY)


SHORT = """version: 1
input: {path: t.csv}
attributes:
  - {name: 2019, role: quasi-identifier}
  - {name: true, role: sensitive}
privacy: [{model: k-anonymity, k: 2}]
"""


def test_a_file_may_be_short(tmp_path: Path) -> None:
    (tmp_path / "t.csv").write_text("2019,true\n" + "1,a\n2,b\n" * 4)
    (tmp_path / "p.yaml").write_text(SHORT + "method: mondrian\nsuppression: 0.5\n")
    policy = covey.Policy.read(tmp_path / "p.yaml")
    keys = policy.to_dict()
    assert keys["method"] == {"name": "mondrian"} and keys["suppression"] == {"limit": 0.5}
    assert [item["name"] for item in keys["attributes"]] == ["2019", "true"]
    expected = published(covey.anonymize(None, policy, seed=1))
    assert published(covey.anonymize(None, policy, quasi=["2019"], sensitive="true", seed=1)) == expected


@pytest.mark.parametrize(
    "line, said",
    [
        ("version: 2", "version must be 1"),
        ("others: keep", 'unknown others "keep"'),
        ("colour: red", 'unknown key in a policy: "colour"'),
        ("method:", "a method must be"),
        ("presets: cms11", "presets must be a list"),
    ],
)
def test_a_file_that_no_policy_can_be_is_refused_when_it_is_read(tmp_path: Path, line: str, said: str) -> None:
    (tmp_path / "p.yaml").write_text((SHORT.replace("version: 1", line) if "version" in line else SHORT + line + "\n"))
    with pytest.raises(covey.InputError, match=said) as caught:
        covey.Policy.read(tmp_path / "p.yaml")
    assert caught.value.row == (1 if "version" in line else 7) and caught.value.file == str(tmp_path / "p.yaml")
