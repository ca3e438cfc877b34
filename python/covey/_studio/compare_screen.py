"""Methods and thresholds side by side: what each release loses, and what it gives away."""

from __future__ import annotations

from collections import Counter
from functools import partial

import covey

from . import plots
from .contest import FIGURES, Candidate, Contest, candidates_of
from .elements import Node, button, check, choice, field, told
from .page import Page
from .words import Refused

_FIRST = ("elastic", "mondrian", "peel")


def draw(page: Page) -> None:
    t = page.t
    Node("h1", t("compare.title"))
    Node("p", t("compare.lead"), "lead")
    page.region(("wishes",), lambda: _draw_choices(page), shows=lambda: [(word, place, _proposed(page, place)) for word, place in _parameters(page)])
    page.region(("compare",), lambda: _draw_figure(page), shows=lambda: page.studio.contest is None)
    page.region(("compare", "compare-view"), lambda: _draw_results(page))


def _parameters(page: Page) -> list[tuple[str, tuple[int, str]]]:
    """Thresholds that can be varied: what is shown, and where it stands."""
    found = []
    for at, promise in enumerate(page.studio.promises):
        for key, value in promise.items():
            if key not in ("model", "attribute") and not isinstance(value, (dict, list)) and str(value)[:1].isdigit():
                of = f" ({promise['attribute']})" if "attribute" in promise else ""
                found.append((f"{promise['model']}{of}: {key}", (at, key)))
    names = Counter(name for name, _ in found)
    return [(name if names[name] == 1 else f"{name}, {at + 1}", (at, key)) for name, (at, key) in found]


def _draw_choices(page: Page) -> None:
    t, kept = page.t, page.kept
    names = [method["name"] for method in covey.methods()]
    chosen: set[str] = kept.setdefault("compare-methods", set(_FIRST))
    with Node("fieldset"):
        Node("legend", t("compare.methods"))
        with Node("div", classes="checks"):
            for name in names:
                check(name, name in chosen, partial(_switch, chosen, name), key=f"compare-{name}")
    parameters = _parameters(page)
    with Node("div", classes="row"):
        if parameters:
            words = [word for word, _ in parameters]
            if kept.get("compare-parameter") not in words:
                kept["compare-parameter"] = words[0]
                kept["compare-values"] = _proposed(page, parameters[0][1])

            def vary(word: str) -> None:
                kept["compare-parameter"] = word
                kept["compare-values"] = _proposed(page, dict(parameters)[word])
                values.set("value", kept["compare-values"])

            choice([(word, word) for word in words], kept["compare-parameter"], vary, label=t("compare.vary"), key="compare-vary")
            values = field(t("compare.values"), kept["compare-values"], lambda text: kept.update({"compare-values": text}), key="compare-values")
        button(t("compare.go"), lambda: page.act(lambda: _start(page, dict(parameters))), "main", key="compare-go")


def _switch(chosen: set[str], name: str, on: bool) -> None:
    (chosen.add if on else chosen.discard)(name)


def _proposed(page: Page, place: tuple[int, str]) -> str:
    """The threshold itself, half and double."""
    value = page.studio.promises[place[0]][place[1]]
    if isinstance(value, int):
        return ", ".join(str(n) for n in sorted({max(2, value // 2), value, value * 2, value * 4}))
    try:
        return ", ".join(f"{float(value) * factor:g}" for factor in (0.5, 1, 2))
    except ValueError:
        return str(value)


def _start(page: Page, parameters: dict[str, tuple[int, str]]) -> None:
    kept, studio = page.kept, page.studio
    words = str(kept.get("compare-values", "")).replace(";", ",").split(",")
    values = list(dict.fromkeys(word.strip() for word in words if word.strip()))
    methods = [method["name"] for method in covey.methods() if method["name"] in kept["compare-methods"]]
    if not methods:
        raise Refused("compare.no_method")
    studio.compare(candidates_of(studio.policy_keys(), methods, parameters.get(kept.get("compare-parameter", "")), values))


def _draw_figure(page: Page) -> None:
    """Which figure the loss is shown against."""
    t, kept = page.t, page.kept
    own = kept.setdefault("compare-y", "attack")
    if page.studio.contest is None:
        return

    def turn(figure: str) -> None:
        kept["compare-y"] = figure
        page.draw_again("compare-view")

    choice([(figure, t(f"compare.{figure}")) for figure in ("attack", "query_error")], own, turn, label=t("compare.against"), key="compare-y")


def _draw_results(page: Page) -> None:
    t, contest, y = page.t, page.studio.contest, page.kept["compare-y"]
    if contest is None:
        return
    best = contest.best("ail", y)
    shown = [c for c in contest.made() if c.figures["ail"] is not None and c.figures[y] is not None]
    if shown:
        found = [
            {"name": c.name, "x": c.figures["ail"], "y": c.figures[y], "best": c in best, "chosen": c.release is page.studio.release}
            for c in shown
        ]
        words = {key: t(f"compare.{key}") for key in ("best", "others")} | {"x": t("compare.ail"), "y": t(f"compare.{y}")}
        plots.points(found, words, t("compare.plot", n=len(shown), best=len(best)), lambda at: _choose(page, shown[at]))
    _draw_table(page, contest, best)


def _draw_table(page: Page, contest: Contest, best: list[Candidate]) -> None:
    t = page.t
    with Node("div", classes="grid", tabindex="0", role="region", aria_label=t("compare.results")), Node("table"):
        with Node("thead"), Node("tr"):
            Node("th", t("compare.release"), scope="col")
            for key in FIGURES:
                Node("th", t(f"compare.{key}"), "right", scope="col")
            Node("th", t("compare.worst"), scope="col")
            Node("th", t("compare.choose"), scope="col")
        with Node("tbody"):
            for at, candidate in enumerate(contest.candidates):
                with Node("tr"):
                    _draw_candidate(page, at, candidate, candidate in best)
    refused = [c for c in contest.candidates if c.reason]
    if refused:
        with Node("details"):
            Node("summary", t("compare.refused", n=len(refused)), data_key="refused")
            with Node("ul", classes="dots"):
                for candidate in refused:
                    told(t, candidate.reason, "li", before=f"{candidate.name}:")


def _draw_candidate(page: Page, at: int, candidate: Candidate, is_best: bool) -> None:
    t = page.t
    with Node("th", candidate.name, scope="row"):
        if is_best:
            Node("span", f" {t('compare.is_best')}", "good-text light")
    for key in FIGURES:
        value = candidate.figures[key]
        Node("td", t.percent(value, in_column=True), "right")
    Node("td", candidate.worst or (t("compare.impossible") if candidate.reason else "" if candidate.is_done else t("compare.waits")), "quiet")
    with Node("td"):
        if candidate.is_stopped:
            Node("div", t("compare.stopped"), "warn-text light")
        if candidate.release is not None and candidate.is_done:
            if candidate.release is page.studio.release:
                Node("span", t("compare.chosen"), "good-text")
            else:
                label = f"{t('compare.choose')}: {candidate.name}"
                button(t("compare.choose"), partial(_choose, page, candidate), "quiet", key=f"choose-{at}", aria_label=label)


def _choose(page: Page, candidate: Candidate) -> None:
    page.act(lambda: page.studio.choose(candidate))
    page.go("release")
