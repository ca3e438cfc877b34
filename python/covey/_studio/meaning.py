"""What a threshold means, in a sentence with the numbers of this table."""

from __future__ import annotations

import math
from fractions import Fraction
from typing import Any

from .state import Studio
from .table import Table, texts_of
from .words import Words


def _number(value: Any) -> float | None:
    try:
        return float(Fraction(str(value)))
    except (ValueError, ZeroDivisionError):
        return None


def _shares(table: Table, name: str) -> list[tuple[str, float]]:
    """Values of a column with their shares, the commonest first."""
    counts = table.counts(name)
    numbers = counts.column("n").to_pylist()
    total = sum(numbers) or 1
    ends = [0, counts.num_rows - 1] if counts.num_rows > 1 else [0] if counts.num_rows else []
    values = texts_of(counts.column("value").take(ends)) if ends else []
    return [(value, numbers[at] / total) for value, at in zip(values, ends)]


def sentence(t: Words, studio: Studio, promise: dict[str, Any]) -> str:
    """Empty where nothing can be said, because the threshold is none."""
    table, model = studio.table, str(promise.get("model"))
    key = f"meaning.{model}"
    if not studio.of_role("entity") and t.has(f"{key}.rows"):  # a person may have several
        key += ".rows"
    figures = {name: _number(value) for name, value in promise.items() if name not in ("model", "attribute")}
    name = str(promise.get("attribute") or next(iter(studio.of_role("sensitive")), ""))
    if table is None or not t.has(key) or any(value is None for value in figures.values() if not isinstance(value, dict)):
        return ""
    facts: dict[str, Any] = {**figures, "attribute": name, "rows": table.n_rows}
    facts |= {name: int(value) for name, value in figures.items() if value is not None and value == int(value)}
    if name in studio.roles:
        shares = _shares(table, name)
        if shares:
            facts |= {"common": shares[0][0], "common_share": t.percent(shares[0][1])}
            facts |= {"rare": shares[-1][0], "rare_share": t.percent(shares[-1][1]), "distinct": table.column(name)["distinct"]}
            facts |= _caps(t, model, figures, shares[-1][1])
    for of, figure in (("k", "k_chance"), ("l", "l_share")):
        if figures.get(of):
            facts[figure] = t.percent(1 / max(figures[of] or 1, 1))
    if figures.get("t") is not None:
        facts["t_share"] = t.percent(min(figures["t"] or 0, 1))
    if figures.get("alpha") is not None:
        facts["alpha_share"] = t.percent(figures["alpha"])
    try:
        return t(key, **facts)
    except KeyError:
        return ""


def _caps(t: Words, model: str, figures: dict[str, float | None], rarest: float) -> dict[str, str]:
    """What the rarest value may become in a class."""
    beta, delta = figures.get("beta"), figures.get("delta")
    if beta is not None and 0 < rarest:
        gain = min(beta, -math.log(rarest)) if model.startswith("enhanced") else beta
        return {"cap": t.percent(min(rarest * (1 + gain), 1))}
    if delta is not None:
        return {"factor": t.number(math.exp(min(delta, 50)), 3)}
    return {}
