"""Questions to a release: bounds that hold, drawn as intervals, with the estimate between them."""

from __future__ import annotations

from functools import partial
from typing import Any

import covey

from .elements import Node, button, complaint, field, told
from .page import Page
from .views import Views

_MOST = 200


def draw(page: Page, views: Views) -> None:
    t = page.t
    Node("p", t("questions.lead"), "quiet")
    asked = page.kept.setdefault("question", _examples(views)[0])

    def ask(sql: str) -> None:
        page.kept["question"] = sql.strip() or asked
        page.draw_again("view")

    with Node("form", classes="row") as form:
        field(t("questions.sql"), asked, lambda text: page.kept.update(question=text), key="sql", wide=True, maxlength="10000")
        button(t("questions.ask"), lambda: ask(page.kept["question"]), "main", key="ask")
    form.on("submit", lambda event: ask(event.args), js_handler="(e) => { e.preventDefault(); emit(e.target.querySelector('input').value) }")
    with Node("div", classes="row examples"):
        for at, example in enumerate(_examples(views)):
            button(example, partial(ask, example), "quiet", key=f"example-{at}")
    try:
        answer = views.release.query(page.kept["question"])
    except covey.Error as error:
        complaint(t, error)
        return
    _draw_answer(page, answer)


def _quoted(name: str) -> str:
    return '"' + name.replace('"', '""') + '"'


def _examples(views: Views) -> list[str]:
    columns = views.columns()
    quasi = [column for column in columns if column.get("role") == "quasi-identifier"]
    found = ["SELECT COUNT(*)"]
    for column in quasi:
        domain = column.get("domain")
        if isinstance(domain, list) and len(domain) == 2 and all(isinstance(end, int) for end in domain):
            middle = (domain[0] + domain[1]) // 2
            found.insert(0, f"SELECT COUNT(*) WHERE {_quoted(column['name'])} <= {middle}")
            break
    found += [f"SELECT COUNT(*) GROUP BY {_quoted(column['name'])}" for column in quasi[:2]]
    return found


def _draw_answer(page: Page, answer: covey.Answer) -> None:
    rows: list[tuple[str, dict[str, Any]]] = []
    if answer.groups is None:
        rows = [(str(item.get("aggregate")), item) for item in answer.answers]
    else:
        for group in answer.groups:
            key = ", ".join("–" if value is None else str(value) for value in group["key"].values())
            rows += [(key if len(group["answers"]) == 1 else f"{key}: {item['aggregate']}", item) for item in group["answers"]]
    t = page.t
    if answer.hits is not None:
        Node("p", t("questions.hits", lower=answer.hits["lower"], upper=answer.hits["upper"]))
    ends = [item[key] for _, item in rows[:_MOST] for key in ("lower", "upper") if item.get(key) is not None]
    low, high = min([0, *ends]), max([0, *ends])
    with Node("div", classes="grid", tabindex="0", role="region", aria_label=t("view.questions"), data_key="answers"), Node("table"):
        with Node("thead"), Node("tr"):
            for key in ("what", "lower", "interval", "upper", "estimate"):
                Node("th", t(f"questions.{key}"), "right" if key in ("lower", "estimate") else "", scope="col")
        with Node("tbody"):
            for name, item in rows[:_MOST]:
                _draw_row(page, name, item, low, high)
    if len(rows) > _MOST:
        Node("p", t("questions.more", n=len(rows) - _MOST), "quiet")
    for note in answer.notes:
        told(t, note, classes="quiet")


def _draw_row(page: Page, name: str, item: dict[str, Any], low: float, high: float) -> None:
    t = page.t
    lower, upper, estimate = item.get("lower"), item.get("upper"), item.get("estimate")
    with Node("tr"):
        Node("th", name, scope="row")
        Node("td", t.number(lower, 7), "right")
        with Node("td"), Node("span", classes="interval", aria_hidden="true"):
            if lower is not None and upper is not None and high > low:
                left, width = (lower - low) / (high - low) * 100, (upper - lower) / (high - low) * 100
                Node("span", classes="band", style=f"left:{left:.2f}%;width:{max(width, 0.6):.2f}%")
                if estimate is not None:
                    Node("span", classes="tick", style=f"left:{min(max((estimate - low) / (high - low), 0), 1) * 100:.2f}%")
        Node("td", t.number(upper, 7), "figure")
        error = item.get("standard_error")
        Node("td", t.number(estimate, 6) + (f" ± {t.number(error, 3)}" if error else ""), "right")
