"""An independent checker beside ours: pyCANON judges releases, and what it says is compared with what the manifest promises.

pyCANON (Sainz-Pardo Diaz and Lopez Garcia, 2022) recomputes everything from the published rows. Where it means something else by a model than
covey, the test says what, and compares with that.
"""

from __future__ import annotations

import math
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

import covey
from conftest import write_csv

pandas = pytest.importorskip("pandas")
canon = pytest.importorskip("pycanon.anonymity")

QUASI = ["age", "zip"]
PLENTY = [
    covey.KAnonymity(4),
    covey.DistinctLDiversity(2),
    covey.ProbabilisticLDiversity("1.1"),
    covey.EntropyLDiversity("1.1"),
    covey.RecursiveCLDiversity(20, 2),
    covey.AlphaKAnonymity("0.95", 4),
    covey.PSensitiveKAnonymity(2, 4),
    covey.BasicBetaLikeness(50),
    covey.EnhancedBetaLikeness(50),
]


def table(path: Path, numbers: bool) -> str:
    """A table of 240 rows whose sensitive values are skewed; every class has several."""
    jobs = ["clerk", "farmer", "nurse", "pilot"]
    n = 240
    pay = [[10, 20, 20, 50, 50, 50][(i * i + i // 7) % 6] if numbers else jobs[(i * i + i // 7) % 4 if i % 5 else 0] for i in range(n)]
    return write_csv(path, {"age": [20 + (i * 37) % 50 for i in range(n)], "zip": [1000 + (i * 13) % 40 for i in range(n)], "what": pay})


@pytest.fixture(scope="module", params=["mondrian", "elastic", "peel"])
def judged(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> tuple[Any, dict[str, Any]]:
    path = table(tmp_path_factory.mktemp("canon") / "words.csv", numbers=False)
    models = [*PLENTY, covey.TCloseness("0.99")] if request.param != "elastic" else [covey.KAnonymity(4), covey.EnhancedBetaLikeness(50)]
    release = covey.anonymize(path, quasi=QUASI, sensitive="what", privacy=models, method=request.param, seed=3)
    return release.to_pandas().astype({"what": str, "age": str, "zip": str}), {p["model"]: p for p in release.verify().promises}


def achieved(promise: dict[str, Any]) -> float:
    found = promise["achieved"]
    return float(Fraction(found) if isinstance(found, str) and "/" in found else found)


def test_k_and_the_distinct_values_are_the_same(judged: tuple[Any, dict[str, Any]]) -> None:
    frame, ours = judged
    assert canon.k_anonymity(frame, QUASI) == achieved(ours["k-anonymity"])
    for model in {"distinct-l-diversity", "p-sensitive-k-anonymity"} & set(ours):
        assert canon.l_diversity(frame, QUASI, ["what"]) == achieved(ours[model])


def test_beta_is_the_same(judged: tuple[Any, dict[str, Any]]) -> None:
    """Of the enhanced model the manifest has the largest gain, pyCANON the smaller of that and the largest -ln p."""
    frame, ours = judged
    gain = achieved(ours["enhanced-beta-likeness"])
    assert canon.basic_beta_likeness(frame, QUASI, ["what"]) == pytest.approx(gain, rel=1e-9)
    rarest = frame["what"].value_counts().min() / len(frame)
    assert canon.enhanced_beta_likeness(frame, QUASI, ["what"]) == pytest.approx(min(gain, -math.log(rarest)), rel=1e-9)


def test_alpha_and_its_inverse_are_the_same(judged: tuple[Any, dict[str, Any]]) -> None:
    """Probabilistic l is 1 / alpha."""
    frame, ours = judged
    if "alpha-k-anonymity" not in ours:
        return
    alpha, _ = canon.alpha_k_anonymity(frame, QUASI, ["what"])
    assert alpha == pytest.approx(achieved(ours["alpha-k-anonymity"]), rel=1e-12)
    assert 1 / alpha == pytest.approx(achieved(ours["probabilistic-l-diversity"]), rel=1e-12)


def test_entropy_l_is_the_same_but_for_its_fraction(judged: tuple[Any, dict[str, Any]]) -> None:
    """pyCANON drops what is behind the point."""
    frame, ours = judged
    if "entropy-l-diversity" in ours:
        assert canon.entropy_l_diversity(frame, QUASI, ["what"]) == int(achieved(ours["entropy-l-diversity"]))


def test_c_follows_the_paper_where_pycanon_does_not(judged: tuple[Any, dict[str, Any]]) -> None:
    """The definition orders values from the most frequent on; pyCANON sorts them the other way round (np.sort), so that its c is of no use.
    Here the definition is computed directly: the least c is the supremum of r_1 / (r_l + ... + r_m)."""
    frame, ours = judged
    if "recursive-cl-diversity" not in ours:
        return
    ratios = []
    for _, rows in frame.groupby(QUASI):
        counts = sorted(rows["what"].value_counts(), reverse=True)
        ratios.append(Fraction(int(counts[0]), int(sum(counts[1:]))))
    assert achieved(ours["recursive-cl-diversity"]) == pytest.approx(float(max(ratios)), rel=1e-12)


def test_t_is_the_same_with_equal_distances(judged: tuple[Any, dict[str, Any]]) -> None:
    frame, ours = judged
    if "t-closeness" in ours:
        assert canon.t_closeness(frame, QUASI, ["what"]) == pytest.approx(achieved(ours["t-closeness"]), rel=1e-9)


def test_t_and_delta_of_numbers(tmp_path: Path) -> None:
    """Numbers: pyCANON's distance is the ordered one. delta: a value that a class lacks is infinitely far by the definition (Brickell and
    Shmatikov 2008), and no release that has such a class keeps any delta; pyCANON leaves it out, which is the same where all have all."""
    path = table(tmp_path / "numbers.csv", numbers=True)
    models = [covey.KAnonymity(12), covey.TCloseness("0.9", distance="ordered"), covey.DeltaDisclosure(5)]
    release = covey.anonymize(path, quasi=QUASI, sensitive="what", privacy=models, method="mondrian", seed=3)
    ours = {p["model"]: p for p in release.verify().promises}
    frame = release.to_pandas().astype({"what": int, "age": str, "zip": str})
    assert canon.t_closeness(frame, QUASI, ["what"]) == pytest.approx(achieved(ours["t-closeness"]), rel=1e-9)
    assert canon.delta_disclosure(frame, QUASI, ["what"]) == pytest.approx(achieved(ours["delta-disclosure"]), rel=1e-9)
