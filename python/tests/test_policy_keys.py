"""Every key of a policy: what Policy() writes is read by the command as it was meant, and so is what it reads and writes again."""

from __future__ import annotations

import json
import random
import re
from pathlib import Path
from typing import Any

import pytest

import covey
from conftest import POLICY, published

hypothesis = pytest.importorskip("hypothesis")
st = hypothesis.strategies

ROOT = Path(__file__).parents[2]

LINES = [["gp", "health", "*"], ["nurse", "health", "*"], ["cook", "food", "*"], ["no", "none", "*"], ["1.10", "none", "*"]]
HIERARCHIES: dict[str, list[Any]] = {
    "age": [{"balanced": 2}, {"interval": {"from": 0, "to": 100, "widths": [5, "10", 50]}}, {"interval": {"from": 20, "to": 60, "widths": [20], "clamp": True}}, {"cuts": [[20, 40, 60], [40]]}],
    "zip": [{"mask": 5}, {"file": "zip.csv"}, {"file": "zip.csv", "delimiter": ";", "missing-leaf": "root"}],
    "job": [{"lines": LINES}, {"lines": LINES[:3], "missing-leaf": "root"}, {"lines": LINES[:3], "missing-leaf": "error"}],
    "born": [{"date": ["month", "year"]}, {"date": ["quarter", "decade"]}, {"cuts": [["1970-01-01", "1980-06-30"], ["1980-06-30"]]}],
}
MORE: dict[str, list[tuple[str, Any]]] = {
    "age": [("type", "integer"), ("type", "text"), ("domain", [0, 120]), ("domain", ["0", "99.5"]), ("publish", "range"), ("publish", "label"), ("recode", {"top": 60, "bottom": 20, "round": 5})],
    "zip": [("type", "text"), ("recode", {"first": 3}), ("recode", {"rare": 10})],
    "job": [("order", ["no", "cook", "nurse", "gp", "1.10"]), ("type", "text")],
    "born": [("type", "date"), ("recode", {"age-at": "2024-12-31"}), ("date-format", "YYYY-MM-DD")],
}
PRIVACY: list[Any] = [
    {"model": "k-anonymity", "k": 2},
    {"model": "k-anonymity", "k": "3"},
    {"model": "distinct-l-diversity", "l": 2, "attribute": "ill"},
    {"model": "distinct-l-diversity", "l": 2, "joint": True},
    {"model": "probabilistic-l-diversity", "l": "3/2"},
    {"model": "entropy-l-diversity", "l": 1.25},
    {"model": "recursive-cl-diversity", "c": 3, "l": 2},
    {"model": "alpha-k-anonymity", "alpha": "0.9", "k": 2, "value": "no"},
    {"model": "p-sensitive-k-anonymity", "p": 2, "k": 2},
    {"model": "t-closeness", "t": "0.70", "distance": "equal"},
    {"model": "t-closeness", "t": 0.9, "distance": "ordered"},
    {"model": "enhanced-beta-likeness", "beta": 4, "two-sided": "ratio"},
    {"model": "basic-beta-likeness", "beta": 4, "two-sided": {"difference": "0.9"}, "groups": [["flu", "no"], ["gout"]], "group-beta": 3},
    {"model": "enhanced-beta-likeness", "beta": 9, "proximity": {"window": 2}},
    {"model": "delta-disclosure", "delta": 4},
    {"model": "min-length", "attribute": "age", "length": 3},
    {"model": "k-anonymity", "k": 2, "units": "rows"},
    {"model": "ke-anonymity", "k": 2, "e": 1},
    {"model": "p-private", "target": {"zipf": {"s": 1.5}}},
    {"model": "sliced-l-diversity", "l": 2},
]
METHODS: list[Any] = [
    "auto",
    {"name": "auto", "time-limit": 5},
    "elastic",
    {"name": "elastic", "dims": "score", "min-size": 3, "publish-boxes": "cut"},
    {"name": "mondrian", "cut": "strict", "cuts": 1, "splits": {"age": [20, 25.5, "30"], "zip": "siblings"}, "min-length": {"age": 3}},
    {"name": "optimal-partition", "cost": "ncp", "splits": {"age": "quantile:3", "zip": "none"}, "time-limit": 1, "memory-limit": "100M"},
    {"name": "full-domain", "metric": "height"},
    {"name": "peel", "until": 2},
    {"name": "burel", "slack": "0.1", "post-split": True},
    {"name": "sabre", "buckets": "fewest", "retrieve": "paper"},
    "anatomy",
    {"name": "slicing", "columns": [["age", "zip"], ["born", "job", "ill"]], "anatomize": False},
    {"name": "slicing", "columns": "found", "weight": "paper"},
    {"name": "distribution", "targets": [{"group": {"zip": "81***"}, "target": "uniform", "hierarchy": {"balanced": 2}}, {"target": {"file": "shares.csv"}}], "fakes": "5%"},
    "perturbation",
    {"name": "ke-permutation", "criterion": "min-max"},
]
TOP: list[tuple[str, list[Any]]] = [
    ("others", ["drop", "insensitive"]),
    ("presets", [["cms11"], ["ema9"], ["ema9", {"name": "hipaa-zip3", "small-areas": "areas.txt"}]]),
    ("suppression", [{"limit": 0.5}, {"limit": "1/3"}, "20%", 0.25]),
    ("groups", [{"by": ["job"]}, {"by": [{"attribute": "zip", "level": 2}, {"attribute": "age", "quantiles": 2}]}, {"method": {"name": "mondrian"}, "k": 5}]),
]
INPUT: list[tuple[str, list[Any]]] = [
    ("delimiter", [",", ",", ",", ";", "tab"]),
    ("null", [["", "?"], ["", "?"], ["no"], [""]]),
    ("missing-sensitive", ["drop", "value", "error"]),
    ("missing-quasi", ["drop", "value", "error"]),
    ("trim", [True, False]),
    ("decimal", [",", "."]),
    ("date-format", ["YYYY-MM-DD", "D.M.YY"]),
    ("header", [True, True, False]),
]
PERSON = [*[{"name": "id", "role": "identifier"}] * 3, {"name": "id", "role": "insensitive", "unique": "allowed"}, {"name": "id", "role": "entity", "within": "house", "missing-entity": "own"}]


@st.composite
def policies(draw: Any) -> dict[str, Any]:
    """Policies with any keys; most can be kept, some make no sense together, and then that is what all say."""

    def perhaps(choices: list[tuple[str, list[Any]]], share: int) -> dict[str, Any]:
        return {key: draw(st.sampled_from(values)) for key, values in choices if draw(st.integers(0, share)) == 0}

    attributes: list[dict[str, Any]] = [draw(st.sampled_from(PERSON)), {"name": "house", "role": "identifier"}]
    for name in HIERARCHIES:
        attribute: dict[str, Any] = {"name": name, "role": "quasi-identifier"}
        if draw(st.booleans()):
            attribute["hierarchy"] = draw(st.sampled_from(HIERARCHIES[name]))
        if draw(st.integers(0, 7)) == 0:
            key, value = draw(st.sampled_from(MORE[name]))
            attribute[key] = value
        if draw(st.integers(0, 4)) == 0:
            attribute["weight"] = draw(st.sampled_from([2, 0.5, "1/3"]))
        attributes.append(attribute)
    attributes.append({"name": "ill", "role": "sensitive"})
    if draw(st.booleans()):
        attributes.append({"name": "w", "role": "weight"})
    policy = {"version": 1, "input": {"path": "table.csv", **perhaps(INPUT, 14)}, "attributes": attributes, **perhaps(TOP, 7)}
    policy["privacy"] = draw(st.lists(st.sampled_from([*PRIVACY[:3] * 5, *PRIVACY]), min_size=1, max_size=2))
    policy["method"] = draw(st.sampled_from([*METHODS[:8] * 2, *METHODS]))
    if draw(st.integers(0, 2)):
        policy["others"] = "drop"
    return policy


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder, rng = tmp_path_factory.mktemp("policies"), random.Random(2)
    with open(folder / "table.csv", "w") as out:
        print("id,house,age,zip,born,job,ill,w", file=out)
        for i in range(120):
            born = f"{rng.randrange(1960, 1990)}-{rng.randrange(1, 13):02d}-{rng.randrange(1, 29):02d}"
            print(f"{i},{i // 2},{rng.randrange(18, 70)},{rng.choice(['80331', '80333', '81667', '81669'])},{born},{rng.choice(LINES)[0]},{rng.choice(['flu', 'no', 'gout', 'ache'])},{rng.randrange(1, 9)}", file=out)
    (folder / "zip.csv").write_text("80331;8033*;8****\n80333;8033*;8****\n81667;8166*;8****\n81669;8166*;8****\n")
    (folder / "shares.csv").write_text("value,share\nflu,1\nno,1\ngout,2\nache,1\n")
    (folder / "areas.txt").write_text("036\n")
    return folder


def outcome(path: Path) -> Any:
    """What comes of a policy file: what is published, or what is wrong, wherever it stands in the file."""
    try:
        return published(covey.anonymize(None, path, seed=5))
    except covey.Error as error:
        said = str(error).replace(path.name, "POLICY")
        return type(error).__name__, error.code, error.column if isinstance(error.column, str) else None, re.sub(r"POLICY:\d+:\d+", "POLICY", said)


def without_floats(value: Any) -> Any:
    """Numbers as Policy() writes them: JSON would say 0.1 or 1e-05 as it likes."""
    if isinstance(value, dict):
        return {key: without_floats(item) for key, item in value.items()}
    if isinstance(value, list):
        return [without_floats(item) for item in value]
    return str(value) if isinstance(value, float) else value


@pytest.mark.filterwarnings("ignore::covey.CoveyWarning")
def test_what_is_written_is_what_was_meant(folder: Path) -> None:
    """JSON is YAML: the policy as a text that nothing of the package has touched."""
    outcomes: list[Any] = []

    @hypothesis.settings(max_examples=150, deadline=None, database=None, derandomize=True, suppress_health_check=list(hypothesis.HealthCheck))
    @hypothesis.given(policies())
    def law(keys: dict[str, Any]) -> None:
        plain = {**keys, "method": {"name": keys["method"]}} if isinstance(keys["method"], str) else keys
        if not isinstance(keys.get("suppression", {}), dict):
            plain = {**plain, "suppression": {"limit": keys["suppression"]}}
        (folder / "meant.yaml").write_text(json.dumps(without_floats(plain), ensure_ascii=False))
        policy = covey.Policy.from_dict(keys)
        (folder / "made.yaml").write_text(policy.to_yaml())
        again = covey.Policy.read(folder / "made.yaml")
        (folder / "sub").mkdir(exist_ok=True)
        again.replace(method=again.to_dict()["method"]).write(folder / "rewritten.yaml")
        meant = outcome(folder / "meant.yaml")
        assert outcome(folder / "made.yaml") == meant
        assert outcome(folder / "rewritten.yaml") == meant
        assert covey.Policy.read(folder / "made.yaml") == again and again.to_yaml() == policy.to_yaml()
        outcomes.append(meant)

    law()
    assert sum(isinstance(found, dict) for found in outcomes) > 20  # releases, and not refusals alone
    unknown = [found[3] for found in outcomes if isinstance(found, tuple) and re.search("no key|not a key|unknown", found[3])]
    assert not unknown


def test_the_law_knows_every_key() -> None:
    """Those that the reference lists."""
    page = (ROOT / "docs" / "policy.md").read_text()
    listed = set()
    for section in ("Top level", "Input", "Attributes", "Hierarchies", "Privacy", "Groups"):
        text = page.split(f"\n## {section}\n")[1].split("\n## ")[0]
        for line in re.findall(r"^- (`.*?):", text, re.M):
            listed |= set(re.findall(r"`([a-z-]+)`", line))
    known = json.dumps([HIERARCHIES, MORE, PRIVACY, METHODS, TOP, INPUT, PERSON])
    told = {"version", "input", "attributes", "privacy", "method", "path", "name", "role", "hierarchy", "weight", "names"}
    assert {key for key in listed if f'"{key}"' not in known} <= told, listed


def test_names_may_come_from_whatever_can_be_read_once(people: str) -> None:
    keys = {**POLICY, "quasi": (name for name in ("age", "zip")), "sensitive": map(str, ["disease"])}
    assert published(covey.anonymize(people, **keys)) == published(covey.anonymize(people, **POLICY))
