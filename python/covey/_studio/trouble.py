"""What went wrong, in the page's words, with a button for each way out that covey knows."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

import covey

from .elements import Node, button, complaint
from .state import MISSING
from .words import Words

if TYPE_CHECKING:
    from .page import Page


def draw(page: Page, error: Exception | None, title: str = "error") -> None:
    """A notice of an error; where it can be mended by a wish, that is a click."""
    with complaint(page.t, error, title=title):
        if isinstance(error, covey.Infeasible) and error.nearest:
            _draw_nearest(page, error.nearest)
        for role, key in MISSING.items():
            if isinstance(error, covey.InputError) and key in str(error):
                _draw_missing(page, role, is_value_too=key + ": drop}" in str(error) and "or value" in str(error))


def _draw_nearest(page: Page, nearest: dict[str, Any]) -> None:
    t, studio = page.t, page.studio
    with Node("p"):
        Node("span", f"{t('release.nearest')}: {in_words(t, nearest)}. ")
        if studio.can_take(nearest):
            button(t("release.take"), lambda: page.act(lambda: studio.take_nearest(nearest)), "small", key="nearest")


def in_words(t: Words, nearest: dict[str, Any]) -> str:
    """What could be kept: promises with their thresholds, the method with its parameters, the share of rows."""
    found = []
    for promise in nearest.get("privacy", []):
        name = " ".join(filter(None, [str(promise["model"]), f"({promise['attribute']})" if "attribute" in promise else ""]))
        found.append(_with(t, name, {key: value for key, value in promise.items() if key not in ("model", "attribute")}))
    if "method" in nearest:
        found.append(_with(t, t("promises.method"), nearest["method"]))
    if "suppression" in nearest:
        found.append(f"{t('promises.suppression')}: {t.percent(float(nearest['suppression']['limit']))}")
    return "; ".join(found)


def _with(t: Words, name: str, parameters: dict[str, Any]) -> str:
    values = ", ".join(f"{key} = {_threshold(t, value)}" for key, value in parameters.items())
    return t("nearest.with", name=name, values=values) if values else name


def _threshold(t: Words, value: Any) -> str:
    """A fraction as it is, because that is what is taken, and as a number."""
    return f"{value} ({t.exact(value)})" if "/" in str(value) else t.exact(value)


def _draw_missing(page: Page, role: str, is_value_too: bool) -> None:
    t = page.t
    with Node("div", classes="row"):
        for word in ("drop", "value") if is_value_too else ("drop",):
            act = partial(page.studio.set_missing, MISSING[role], word)
            button(t(f"missing.{word}"), partial(page.act, act), "small", key=f"missing-{role}-{word}")
