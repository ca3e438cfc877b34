"""The release: whether it holds, what it is worth, what it gives away, where it goes."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

import covey

from . import plots, questions, save_panel
from .cells import plain
from .elements import Grid, Node, button, choice, complaint, field, meter, notice, told
from .page import Page
from .views import Views

VIEWS = ("overview", "rows", "loss", "distributions", "risks", "questions")
N_ROWS = 25
_MOST_VALUES = 120


def draw(page: Page) -> None:
    t = page.t
    Node("h1", t("release.title"))
    page.region(("release", "wishes", "table"), lambda: _draw_make(page), shows=lambda: (_to_make(page), page.studio.original), classes="row")
    page.region(("release",), lambda: _draw_verdict(page))
    page.region(("release",), lambda: _draw_tabs(page))
    page.region(("release", "view"), lambda: _draw_view(page))


def _to_make(page: Page) -> str:
    """What there is to do: `original` of a release that was received, or how far the own one is."""
    studio = page.studio
    if studio.table is None:
        return "original" if studio.release is not None else ""
    return "none" if studio.release is None else "stale" if studio.is_stale else "made"


def _draw_make(page: Page) -> None:
    t, studio, to_make = page.t, page.studio, _to_make(page)
    if to_make == "original":
        _draw_original(page)
    elif to_make:
        button(t("release.make" if to_make == "none" else "release.again"), lambda: page.act(studio.anonymize), "main", key="anonymize")
        if to_make != "made":
            Node("span", t(f"release.{to_make}"), "quiet" if to_make == "none" else "warn-text")


def _draw_original(page: Page) -> None:
    """Of a release that was received: who has the table that it was made of may put it beside it."""
    t, studio = page.t, page.studio
    chosen = {"path": studio.original.path if studio.original is not None else ""}

    def compare() -> None:
        if chosen["path"].strip():
            studio.compare_with(chosen["path"].strip())

    field(t("release.original"), chosen["path"], lambda text: chosen.update(path=text), key="original", wide=True)
    button(t("release.original.go"), lambda: page.act(compare), key="original-go")


def _draw_verdict(page: Page) -> None:
    t, studio = page.t, page.studio
    release, verdict = studio.release, studio.verdict
    if release is None or verdict is None:
        return
    if verdict.holds and verdict.faithful is not False:
        text = _how_proven(page, verdict) + (" " + t("release.faithful") if verdict.faithful else "")
        notice("good", t("release.holds"), text)
    else:
        with notice("bad", t("release.broken"), t("release.broken.text")), Node("ul"):
            for problem in verdict.problems:
                told(t, problem, "li")
    if studio.warnings:
        with notice("warn", t("release.warning")), Node("ul"):
            for text in studio.warnings:
                told(t, text, "li")


def _how_proven(page: Page, verdict: covey.Verdict) -> str:
    """The files of a release do not prove what it promises over persons."""
    units = verdict.units
    if units is None:
        return page.t("release.holds.text")
    return page.t("release.holds.units_proven" if units["proven"] else "release.holds.units", n=units["published"])


def _draw_tabs(page: Page) -> None:
    t = page.t
    if page.studio.views is None:
        return
    tabs: dict[str, Node] = {}

    def show(view: str) -> None:
        page.kept["view"] = view
        for name, node in tabs.items():
            node.set("aria_pressed", "true" if name == view else "false")
        page.draw_again("view")

    chosen = page.kept.setdefault("view", "overview")
    with Node("div", classes="tabs", role="group", aria_label=t("release.views")):
        for view in VIEWS:
            pressed = "true" if view == chosen else "false"
            tabs[view] = button(t(f"view.{view}"), partial(show, view), "tab", key=f"view-{view}", aria_pressed=pressed)


def _draw_view(page: Page) -> None:
    views = page.studio.views
    if views is None:
        return
    drawers: dict[str, Callable[[Page, Views], None]] = {
        "overview": _draw_overview,
        "rows": _draw_rows,
        "loss": _draw_loss,
        "distributions": _draw_distributions,
        "risks": _draw_risks,
        "questions": questions.draw,
    }
    drawers[page.kept.setdefault("view", "overview")](page, views)


# ---- overview ----


def _draw_overview(page: Page, views: Views) -> None:
    t, verdict = page.t, page.studio.verdict
    assert verdict is not None
    Node("p", _counts(page, views.release))
    with Node("div", classes="grid", tabindex="0", role="region", aria_label=t("promises.yours")), Node("table"):
        with Node("thead"), Node("tr"):
            for key in ("promise", "of", "threshold", "achieved", "verdict"):
                Node("th", t(f"release.{key}"), scope="col")
        with Node("tbody"):
            for promise in verdict.promises:
                _draw_promise(page, promise)
    page.region(("saved",), lambda: _draw_save(page))


def _draw_promise(page: Page, promise: dict[str, Any]) -> None:
    t = page.t
    with Node("tr"):
        Node("th", promise["model"], scope="row")
        Node("td", promise.get("attribute") or t("release.classes"))
        Node("td", _figure(page, promise.get("threshold")))
        Node("td", _figure(page, promise.get("achieved")))
        kept = bool(promise.get("holds"))
        Node("td", t("release.kept") if kept else t("release.not_kept"), "good-text" if kept else "bad-text")


def _figure(page: Page, value: Any) -> str:
    if isinstance(value, dict):
        return ", ".join(f"{key} {_figure(page, item)}" for key, item in value.items())
    return "–" if value is None else page.t.exact(value)


def _counts(page: Page, release: covey.Release) -> str:
    facts = release.manifest
    method = facts.get("method") or {}
    return page.t(
        "release.counts",
        published=facts.get("published_rows", 0),
        rows=facts.get("rows", 0),
        classes=facts.get("classes") or 0,
        method=str(method.get("name") if isinstance(method, dict) else method),
        suppressed=facts.get("suppressed_rows", 0),
    )


def _draw_save(page: Page) -> None:
    t, studio = page.t, page.studio
    if studio.release is None or studio.verdict is None or not studio.verdict.holds:
        return
    with Node("section", aria_labelledby="save-title"):
        Node("h2", t("save.title"), id="save-title")
        lines: dict[str, tuple[str, Callable[[str, bool], None]]] = {
            "release": (studio.beside("-release"), studio.save_release),
            "policy": (studio.beside("-policy.yaml"), studio.save_policy),
            "report": (studio.beside("-report.html"), studio.save_report),
        }
        for what, (proposed, save) in lines.items():
            if what == "report" or studio.table is not None:
                save_panel.draw(page, what, t(f"save.{what}"), proposed, studio.saved.get(what), save)


# ---- rows ----


def _draw_rows(page: Page, views: Views) -> None:
    t = page.t
    names = views.release.table_names
    name = page.kept.get("rows-of", names[0])
    if name not in names:
        name = names[0]

    def choose(word: str) -> None:
        page.kept["rows-of"] = word
        page.draw_again("view")

    if len(names) > 1:
        choice([(word, word) for word in names], name, choose, label=t("rows.table"), key="rows-of")
    if views.pairs is not None:
        Node("p", t("rows.pairs"), "quiet")
    try:
        Rows(page, views, name)
    except covey.Error as error:
        complaint(t, error, "warn")


class Rows:
    """Published rows, a page at a time, each with what an original row that fits has where that differs."""

    def __init__(self, page: Page, views: Views, name: str) -> None:
        self._page, self._views, self._name, self._first = page, views, name, 0
        self._table = views.release.tables[name]
        t = page.t
        last = max(self._table.num_rows - 1, 0) // N_ROWS * N_ROWS
        with Node("div", classes="row pager"):
            button(t("table.first"), lambda: self._show(0), "quiet", key="released-first")
            button(t("table.previous"), lambda: self._show(self._first - N_ROWS), "quiet", key="released-previous")
            self._where = Node("span", classes="figure", role="status")
            button(t("table.next"), lambda: self._show(self._first + N_ROWS), "quiet", key="released-next")
            button(t("table.last"), lambda: self._show(last), "quiet", key="released-last")
        types = {facts["name"]: facts for facts in views.columns()}
        columns = [{"label": column, "sub": _role(page, types.get(column, {}))} for column in self._table.column_names]
        self._grid = Grid(t("view.rows"), columns, [], "released")
        self._show(0)

    def _show(self, first: int) -> None:
        n = self._table.num_rows
        self._first = max(0, min(first, n - 1)) // N_ROWS * N_ROWS
        rows = self._views.page(self._name, self._first, N_ROWS)
        names = self._table.column_names
        pairs = self._views.pairs
        originals = pairs.originals(names, rows) if pairs is not None else [None] * len(rows)
        self._grid.fill([[_cell(column, cell, own) for column, cell in zip(names, row)] for row, own in zip(rows, originals)])
        low = self._first + 1 if rows else 0
        self._where.set_text(self._page.t("table.range", first=low, last=self._first + len(rows), rows=n))


def _cell(column: str, cell: str, original: dict[str, str] | None) -> Any:
    if original is None or column not in original or plain(original[column]) == plain(cell) or (cell == "null" and not original[column]):
        return cell
    return [cell, "changed", original[column] or "–"]


def _role(page: Page, facts: dict[str, Any]) -> str:
    return page.t.or_else(f"role.{facts.get('role')}", "")


# ---- loss ----


def _draw_loss(page: Page, views: Views) -> None:
    page.region(("views",), lambda: _draw_losses(page, views))


def _waits(page: Page, views: Views, what: str, value: Any) -> bool:
    """Is it not there yet? Says so, or what went wrong."""
    if what in views.faults:
        complaint(page.t, views.faults[what], "warn")
    elif value is None:
        Node("p", page.t("job.views"), "quiet", role="status")
    return value is None


def _draw_losses(page: Page, views: Views) -> None:
    t, loss = page.t, views.loss
    if _waits(page, views, "loss", loss) or loss is None:
        return
    figures = [("loss.ail", loss.get("ail")), ("loss.risk", loss.get("largest_risk")), ("loss.mean_risk", loss.get("mean_risk"))]
    with Node("dl", classes="figures"):
        for key, value in figures:
            if value is not None:
                with Node("div"):
                    Node("dt", t(key))
                    Node("dd", t.percent(value))
        with Node("div"):
            Node("dt", t("loss.class"))
            Node("dd", t.number(loss.get("average_class_size")))
    if loss.get("attributes"):
        Node("h2", t("loss.attributes"))
        with Node("table", classes="plain"), Node("tbody"):
            for attribute in loss["attributes"]:
                with Node("tr"):
                    Node("th", attribute["name"], scope="row")
                    with Node("td"):
                        meter(attribute.get("ail") or 0, t.percent(attribute.get("ail"), in_column=True), "wide")
    _draw_sizes(page, views)


def _draw_sizes(page: Page, views: Views) -> None:
    t, sizes = page.t, views.sizes
    if not sizes:
        return
    Node("h2", t("loss.sizes"))
    grouped = _in_ranges(sizes)
    words = {"x": t("loss.rows"), "y": t("release.classes")}
    label = f"{t('loss.sizes')}: " + "; ".join(f"{name}: {n}" for name, n in grouped)
    plots.bars([name for name, _ in grouped], [n for _, n in grouped], words, label)


def _in_ranges(sizes: Any) -> list[tuple[str, int]]:
    """Sizes of classes, in ranges of equal width where there are many."""
    low, high = min(sizes), max(sizes)
    width = max(1, -(-(high - low + 1) // 40))
    if width == 1:
        return [(str(size), sizes.get(size, 0)) for size in range(low, high + 1)]
    found: dict[int, int] = {}
    for size, n in sizes.items():
        found[(size - low) // width] = found.get((size - low) // width, 0) + n
    return [(f"{low + at * width}–{low + (at + 1) * width - 1}", found.get(at, 0)) for at in range((high - low) // width + 1)]


# ---- distributions ----


def _draw_distributions(page: Page, views: Views) -> None:
    t = page.t
    names = [column["name"] for column in views.columns()]
    if not names:
        return
    name = page.kept.get("distribution", names[0])
    name = name if name in names else names[0]

    def choose(word: str) -> None:
        page.kept["distribution"] = word
        page.draw_again("view")

    choice([(word, word) for word in names], name, choose, label=t("table.column"), key="distribution")
    try:
        rows = views.distribution(name)
    except covey.Error as error:
        complaint(t, error, "warn")
        return
    if len(rows) > _MOST_VALUES:
        rows = sorted(rows, key=lambda row: -row["after"] if row["after"] is not None else 0)[:_MOST_VALUES]
        Node("p", t("distribution.most", n=_MOST_VALUES), "quiet")
    words = {key: t(f"distribution.{key}") for key in ("before", "after", "bounds")}
    plots.before_and_after(rows, words, f"{t('view.distributions')}: {name}")
    if plots.is_cut(rows):
        Node("p", t("distribution.cut"), "quiet")
    columns: list[dict[str, Any]] = [{"label": name}]
    columns += [{"label": t(f"distribution.{key}"), "right": True} for key in ("before", "lower", "after", "upper")]
    cells = [[row["value"], *(t.number(row[key]) for key in ("before", "lower", "after", "upper"))] for row in rows]
    Grid(f"{t('view.distributions')}: {name}", columns, cells, "distribution-table")


# ---- risks ----


def _draw_risks(page: Page, views: Views) -> None:
    Node("h2", page.t("risks.promises"))
    verdict = page.studio.verdict
    with Node("table", classes="plain"), Node("tbody"):
        for promise in verdict.promises if verdict is not None else []:
            _draw_risk(page, promise)
    Node("h2", page.t("risks.attacks"))
    page.region(("views",), lambda: _draw_attacks(page, views))


def _number_of(value: Any) -> float | None:
    """A threshold as a number: an integer, a decimal or a fraction."""
    if isinstance(value, (int, float)):
        return float(value)
    if isinstance(value, str):
        top, _, bottom = value.partition("/")
        try:
            return float(top) / float(bottom or 1)
        except (ValueError, ZeroDivisionError):
            return None
    return None


def _draw_risk(page: Page, promise: dict[str, Any]) -> None:
    """How much of what is allowed is used: achieved over threshold, or the other way round where more is better."""
    threshold, achieved = _number_of(promise.get("threshold")), _number_of(promise.get("achieved"))
    with Node("tr"):
        Node("th", promise["model"], scope="row")
        Node("td", promise.get("attribute") or "", "quiet")
        with Node("td"):
            if threshold and achieved is not None:
                share = achieved / threshold if promise["holds"] == (achieved <= threshold) and achieved != threshold else 1.0
                if promise["holds"] and achieved > threshold:
                    share = threshold / achieved
                meter(share, "", "wide" if promise["holds"] else "wide bad")
        text = page.t("risks.of", achieved=_figure(page, promise.get("achieved")), threshold=_figure(page, promise.get("threshold")))
        Node("td", text, "figure")


def _draw_attacks(page: Page, views: Views) -> None:
    t, attacks = page.t, views.attacks
    if _waits(page, views, "attacks", attacks) or attacks is None:
        return
    if not views.knows_all_attacks:
        Node("p", t("job.views"), "quiet", role="status")
    left_out = [attack for attack in attacks if not attack.get("applies", True)]
    for attack in attacks:
        if not attack.get("applies", True):
            continue
        with Node("div", classes="attack"):
            with Node("div", classes="row"):
                Node("strong", attack["name"])
                if attack.get("attribute"):
                    Node("span", attack["attribute"], "quiet")
                Node("span", t.or_else(f"verdict.{attack['verdict']}", attack["verdict"]), f"chip {attack['verdict']}")
            told(t, attack.get("words") or "")
            figures = [(key, attack.get(key)) for key in ("figure", "prior", "ceiling", "bound") if attack.get(key) is not None]
            Node("p", " · ".join(f"{t(f'attack.{key}')} {t.number(value)}" for key, value in figures), "quiet figure wrap")
    if left_out:
        with Node("details"):
            Node("summary", t("risks.left_out", n=len(left_out)), data_key="left-out")
            with Node("ul", classes="dots"):
                for attack in left_out:
                    told(t, attack.get("reason") or "", "li", before=f"{attack['name']}:")
