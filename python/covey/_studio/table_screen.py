"""What is in the table, and what each of its columns is."""

from __future__ import annotations

from functools import partial
from typing import Any

from .elements import Grid, Node, button, choice, complaint, field, meter, sparkline, told
from .page import Page, stands
from .state import MISSING, MISSING_WORDS, ROLES
from .table import Table

N_ROWS = 50
_MOST_SETS = 8
_MOST_CELLS = 2_000_000  # of a table that is looked through at once, without being asked


def draw(page: Page) -> None:
    table, t = page.studio.table, page.t
    assert table is not None
    Node("h1", t("table.title"))
    Node("p", t("table.lead", rows=table.n_rows, columns=len(table.columns)), "lead")
    with Node("section", aria_labelledby="columns-title"):
        Node("h2", t("table.columns"), id="columns-title")
        with Node("div", classes="grid columns", tabindex="0", role="region", aria_labelledby="columns-title"):
            with Node("table"):
                _head(page)
                with Node("tbody"):
                    for column in table.columns:
                        _draw_column(page, table, column)
        page.region(("wishes",), partial(_draw_within, page, table), shows=lambda: page.studio.of_role("entity"))
        for role in MISSING:
            page.region(("wishes",), partial(_draw_missing, page, table, role), shows=partial(_lacking, page, table, role))
    with Node("section", aria_labelledby="unique-title"):
        Node("h2", t("unique.title"), id="unique-title")
        page.region(("unique", "wishes"), lambda: _draw_combinations(page), shows=lambda: _combinations(page))
    with Node("section", aria_labelledby="rows-title"):
        Node("h2", t("table.rows"), id="rows-title")
        Rows(page, table)


def _head(page: Page) -> None:
    with Node("thead"), Node("tr"):
        for key in ("column", "role", "values", "type", "distinct", "missing", "unique", "why"):
            Node("th", page.t(f"table.{key}"), "right" if key in ("distinct", "missing") else "", scope="col")


def _draw_column(page: Page, table: Table, column: dict[str, Any]) -> None:
    t, name = page.t, column["name"]
    kind, bars = table.bars(name)
    if kind == "histogram":
        bars = [(" – ".join(t.exact(end) for end in ends.split(" – ")), n) for ends, n in bars]
        label = t("table.histogram", low=bars[0][0].split(" – ")[0], high=bars[-1][0].split(" – ")[1])
    else:
        label = t("table.commonest", values=", ".join(f"{value} ({t.number(n)})" for value, n in bars[:3]))
    with Node("tr"):
        Node("th", name, "name", scope="row", title=column.get("label") or None)
        with Node("td"):
            _draw_role(page, name)
        with Node("td"):
            sparkline([n for _, n in bars], [f"{value}: {t.number(n)}" for value, n in bars], label)
        Node("td", t.or_else(f"type.{column['type']}", column["type"]), "quiet")
        Node("td", t.number(column["distinct"]), "right")
        Node("td", t.number(column["missing"]), "right")
        with Node("td", classes="measure"):
            meter(column["unique_rows"] / max(table.n_rows, 1), t.number(column["unique_rows"]))
        with Node("td", classes="why quiet"):
            page.region(("wishes",), lambda: _draw_reason(page, column))


def _combinations(page: Page) -> tuple[Any, ...]:
    """Looks for combinations where that is quick, and says how far they are known."""
    studio, table = page.studio, page.studio.table
    if table is not None and table.n_rows * len(table.columns) <= _MOST_CELLS:
        studio.look_for_combinations()
    return studio.knows_combinations, *stands(studio.unique)


def _draw_combinations(page: Page) -> None:
    t, studio, table = page.t, page.studio, page.studio.table
    job = studio.unique
    if job is None or not studio.knows_combinations:
        button(t("unique.look"), lambda: page.act(studio.look_for_combinations), key="unique")
    elif job.is_running:
        share = Node("p", "", "quiet", role="status")

        def advance() -> None:
            share.set_text(f"{t('job.unique')} … {t('job.rows', done=job.done, to_do=job.to_do) if job.to_do else ''}")

        advance()
        page.follow(("unique",), share, advance)
        button(t("job.stop"), job.cancel, "small", key="unique-stop")
    elif job.state == "failed":
        complaint(t, job.error)
    elif job.state == "cancelled":
        Node("p", t("job.stopped"), "quiet")
    elif table is not None:
        Node("p", t("unique.lead"), "quiet")
        with Node("div", classes="thirds"):
            for size in (1, 2, 3):
                found = [item for item in job.result if len(item["columns"]) == size and item["unique_rows"] > 0][:_MOST_SETS]
                if found:
                    _draw_sets(page, size, found)


def _draw_sets(page: Page, size: int, found: list[dict[str, Any]]) -> None:
    t = page.t
    with Node("div"):
        Node("h3", t(f"unique.{size}"))
        with Node("ol", classes="sets"):
            for item in found:
                with Node("li"):
                    Node("span", " + ".join(item["columns"]), "set")
                    meter(item["uniqueness"], t("unique.rows", n=item["unique_rows"], share=t.percent(item["uniqueness"])))


def _lacking(page: Page, table: Table, role: str) -> str:
    """Columns of a role that have missing values, and how many."""
    lacking = [c for c in table.columns if c["missing"] and page.studio.roles.get(c["name"]) == role]
    return ", ".join(f"{column['name']} ({page.t.number(column['missing'])})" for column in lacking)


def _draw_missing(page: Page, table: Table, role: str) -> None:
    """What becomes of rows without a value where one is needed; asked only where there are some."""
    t, key, columns = page.t, MISSING[role], _lacking(page, table, role)
    if not columns:
        return
    with Node("div", classes="row"):
        choices = [(word, t(f"missing.{word}")) for word in MISSING_WORDS]
        label = t(f"missing.{role}", columns=columns)
        node = choice(choices, page.studio.missing(key), partial(_set_missing, page, key), label=label, key=key)
        page.watch(("wishes",), node, lambda: page.studio.missing(key))


def _draw_within(page: Page, table: Table) -> None:
    """What persons are part of; asked only where a column names them."""
    t, studio, entities = page.t, page.studio, page.studio.of_role("entity")
    if len(entities) != 1:
        return
    others = [column["name"] for column in table.columns if column["name"] != entities[0]]
    choices = [("", t("within.nothing")), *((name, name) for name in others)]
    with Node("div", classes="row"):
        node = choice(choices, studio.within, lambda name: page.act(lambda: studio.set_within(name)), label=t("within", column=entities[0]), key="within")
        page.watch(("wishes",), node, lambda: studio.within)


def _set_missing(page: Page, key: str, word: str) -> None:
    page.act(lambda: page.studio.set_missing(key, word))


def _draw_role(page: Page, name: str) -> None:
    t = page.t
    node = choice(
        [(role, t(f"role.{role}")) for role in ROLES],
        page.studio.roles.get(name, "insensitive"),
        lambda role: page.act(lambda: page.studio.set_role(name, role)),
        label=t("table.role_of", column=name),
        key=f"role-{name}",
        visible=False,
    )
    page.watch(("wishes",), node, lambda: page.studio.roles.get(name, "insensitive"))


def _draw_reason(page: Page, column: dict[str, Any]) -> None:
    t = page.t
    if page.studio.roles.get(column["name"]) == column["role"]:
        told(t, column["reason"], "span")
    else:
        Node("span", t("table.changed", role=t.or_else(f"role.{column['role']}", column["role"])))


class Rows:
    """Rows of the table, a page at a time: the browser never has more."""

    def __init__(self, page: Page, table: Table) -> None:
        self._page, self._table, self._first = page, table, 0
        t = page.t
        last = max(table.n_rows - 1, 0) // N_ROWS * N_ROWS
        with Node("div", classes="row pager"):
            button(t("table.first"), lambda: self._show(0), "quiet", key="rows-first")
            button(t("table.previous"), lambda: self._show(self._first - N_ROWS), "quiet", key="rows-previous")
            self._where = Node("span", classes="figure", role="status")
            button(t("table.next"), lambda: self._show(self._first + N_ROWS), "quiet", key="rows-next")
            button(t("table.last"), lambda: self._show(last), "quiet", key="rows-last")
            field(t("table.goto"), "", self._go_to, key="rows-goto", inputmode="numeric", size="8")
        columns = [{"label": c["name"], "right": c["type"] in ("integer", "decimal")} for c in table.columns]
        self._grid = Grid(t("table.rows"), columns, [], "rows")
        self._show(0)

    def _go_to(self, text: str) -> None:
        digits = "".join(character for character in text if character.isdecimal())
        if digits:
            self._show(int(digits[:15]) - 1)

    def _show(self, first: int) -> None:
        table, t = self._table, self._page.t
        self._first = max(0, min(first, table.n_rows - 1)) // N_ROWS * N_ROWS
        rows = table.page(self._first, N_ROWS)
        self._grid.fill(rows)
        low = self._first + 1 if rows else 0
        self._where.set_text(t("table.range", first=low, last=self._first + len(rows), rows=table.n_rows))
