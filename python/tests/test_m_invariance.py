"""Releases of a table that changes: the ledger and the earlier releases as arguments; the same releases as the command's."""

from __future__ import annotations

import random
import stat
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import covey
from conftest import published

pandas = pytest.importorskip("pandas")


def waves(n: int = 3) -> list[Any]:
    """People who come, go and return; everybody's illness stays."""
    rng, people, here, tables = random.Random(8), [], set(), []
    for wave in range(n):
        for _ in range(8 if wave else 90):
            here.add(len(people))
            people.append((f"p{len(people)}", rng.randrange(20, 80), rng.choice("NSEW"), rng.choice(["flu", "flu", "cold", "gout", "hiv", "mumps"])))
        tables.append(pandas.DataFrame([people[i] for i in sorted(here)], columns=["who", "age", "area", "ill"]))
        here -= set(rng.sample(sorted(here), 20))
        here |= {0, 1}
    return tables


KEYS: dict[str, Any] = {"quasi": ["age", "area"], "sensitive": "ill", "attributes": [{"name": "who", "role": "entity"}], "privacy": covey.MInvariance(2)}


def test_a_ledger_is_kept_and_proves_all_releases(tmp_path: Path) -> None:
    ledger, releases = tmp_path / "ledger.csv", []
    for table in waves():
        releases.append(covey.anonymize(table, ledger=ledger, previous=list(releases), seed=1, **KEYS))
    assert stat.S_IMODE(ledger.stat().st_mode) == 0o600
    assert sum(release.manifest["counterfeits"] for release in releases) > 0
    verdict = releases[2].verify(waves()[2], ledger=ledger, previous=releases[:2])
    assert verdict and verdict.faithful
    assert not releases[2].verify(ledger=ledger, previous=releases[0])  # one is missing
    [found] = releases[2].attack(names="composition", with_=releases[0], releases_ledger=ledger)
    assert (found["figure_exact"], found["verdict"], found["over"]) == ("1/2", "safe", "persons")
    [found] = releases[2].attack(names="composition", with_=[releases[0], releases[1].path], releases_ledger=ledger)
    assert (found["figure_exact"], found["releases"]) == ("1/2", 3)
    assert releases[2].manifest["counterfeits"] > 0
    with pytest.raises(covey.InputError, match="releases_ledger"):
        releases[2].attack(waves()[2])
    [found] = releases[2].attack(waves()[2], names="homogeneity", releases_ledger=ledger)
    assert (found["figure_exact"], found["verdict"]) == ("1/2", "safe")
    assert "made up" in releases[2].report(original=waves()[2], releases_ledger=ledger)
    with pytest.raises(covey.InputError, match="with_=RELEASE2"):
        releases[2].attack(names="composition", releases_ledger=ledger)
    assert set(releases[0].tables) == {"table", "counterfeits"}
    answer = releases[2].query("SELECT COUNT(*)").answers[0]
    assert answer["lower"] == answer["upper"] == len(waves()[2])


def test_the_command_makes_the_same_releases(command: Callable[..., tuple[int, Any]], tmp_path: Path) -> None:
    mine: list[covey.Release] = []
    for number, table in enumerate(waves()):
        table.to_csv(tmp_path / f"{number}.csv", index=False)
        words = [str(tmp_path / f"{number}.csv"), "--quasi", "age,area", "--sensitive", "ill", "--entity", "who", "--model", "m-invariance:m=2", "--seed", "1"]
        for earlier in range(number):
            words += ["--previous", str(tmp_path / str(earlier))]
        code, said = command("anonymize", *words, "--ledger", str(tmp_path / "ledger.csv"), "-o", str(tmp_path / str(number)))
        assert code == 0, said
        mine.append(covey.anonymize(table, ledger=tmp_path / "own.csv", previous=mine[:number], seed=1, **KEYS))
        assert published(mine[-1]) == published(covey.open(tmp_path / str(number)))
        assert said["counterfeits"] == mine[-1].manifest["counterfeits"]


def test_what_the_ledger_does_not_know_is_refused(tmp_path: Path) -> None:
    table, ledger = waves()[0], tmp_path / "ledger.csv"
    with pytest.raises(covey.InputError, match="ledger"):
        covey.anonymize(table, **KEYS)
    first = covey.anonymize(table, ledger=ledger, **KEYS)
    with pytest.raises(covey.InputError, match="number 1"):
        covey.anonymize(waves()[1], ledger=ledger, **KEYS)
    with pytest.raises(covey.InputError, match="another value"):
        covey.anonymize(table.assign(ill="flu"), ledger=ledger, previous=[first], **KEYS)
    with pytest.warns(covey.CoveyWarning, match="90 of the table's 90 units"):
        covey.anonymize(table, ledger=ledger, **{**KEYS, "privacy": covey.DistinctLDiversity(2)})
