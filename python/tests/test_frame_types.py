"""Data frames of a release have types that compute: intervals, structs, ordered categories."""

from __future__ import annotations

from typing import Any

import pytest

import covey

from conftest import PEOPLE


def made(**keys: Any) -> covey.Release:
    data = pytest.importorskip("pyarrow").table(PEOPLE)
    return covey.anonymize(
        data,
        quasi={"age": None, "zip": {"mask": 5}},
        sensitive="disease",
        insensitive="income",
        privacy=[{"model": "k-anonymity", "k": 3}, {"model": "distinct-l-diversity", "l": 2}],
        method="mondrian",
        **keys,
    )


def test_ranges_are_intervals_in_pandas() -> None:
    pandas = pytest.importorskip("pandas")
    release = made()
    frame, texts = release.to_pandas(), release.table["age"].to_pylist()
    assert frame["age"].dtype == pandas.IntervalDtype("float64", closed="both")
    shown = [f"[{age.left:.0f}, {age.right:.0f}]" if age.left < age.right else f"{age.left:.0f}" for age in frame["age"]]
    assert shown == [str(text) for text in texts]
    assert frame["age"].array.contains(24).sum() >= 3


def test_a_hierarchy_orders_categories_with_a_group_before_its_members() -> None:
    pytest.importorskip("pandas")
    kind = made().to_pandas()["zip"].dtype
    assert kind.ordered and len(kind.categories) > 1
    plain = [label.rstrip("*") for label in kind.categories]
    assert all(not other.startswith(label) for at, label in enumerate(plain) for other in plain[:at] if label != other)


def test_polars_has_structs_and_enums() -> None:
    polars = pytest.importorskip("polars")
    release = made()
    frame, texts = release.to_polars(), release.table["age"].to_pylist()
    ends = [(pair["low"], pair["high"]) for pair in frame["age"]]
    assert [f"[{low:.0f}, {high:.0f}]" if low < high else f"{low:.0f}" for low, high in ends] == [str(t) for t in texts]
    assert isinstance(frame.schema["zip"], polars.Enum)
    assert frame["zip"].to_list() == release.table["zip"].to_pylist()
