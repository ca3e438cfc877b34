"""The release: whether it holds, what it is worth, where it goes."""

from __future__ import annotations

from typing import Any

import covey

from .page import Page
from .parts import Node, button, check, field, notice


def draw(page: Page) -> None:
    t = page.t
    Node("h1", t("release.title"))
    page.region(("release", "wishes", "table"), lambda: _draw_make(page), classes="row")
    page.region(("release",), lambda: _draw_verdict(page))
    page.region(("release", "saved"), lambda: _draw_save(page))


def _draw_make(page: Page) -> None:
    t, studio = page.t, page.studio
    if studio.table is None:
        return
    label = t("release.make") if studio.release is None else t("release.again")
    button(label, lambda: page.act(studio.anonymize), "main", key="anonymize")
    if studio.release is None:
        Node("span", t("release.none"), "quiet")
    elif studio.is_stale:
        Node("span", t("release.stale"), "warn-text")


def _draw_verdict(page: Page) -> None:
    t, studio = page.t, page.studio
    release, verdict = studio.release, studio.verdict
    if release is None or verdict is None:
        return
    if verdict.holds and verdict.faithful is not False:
        text = t("release.holds.text") + (" " + t("release.faithful") if verdict.faithful else "")
        notice("good", t("release.holds"), text)
    else:
        with notice("bad", t("release.broken"), t("release.broken.text")), Node("ul"):
            for problem in verdict.problems:
                Node("li", problem)
    for text in studio.warnings:
        notice("warn", t("release.warning"), text)
    Node("p", _counts(page, release))
    with Node("div", classes="grid", tabindex="0", role="region", aria_label=t("promises.yours")), Node("table"):
        with Node("thead"), Node("tr"):
            for key in ("promise", "of", "threshold", "achieved", "verdict"):
                Node("th", t(f"release.{key}"), scope="col")
        with Node("tbody"):
            for promise in verdict.promises:
                _draw_promise(page, promise)


def _draw_promise(page: Page, promise: dict[str, Any]) -> None:
    t = page.t
    with Node("tr"):
        Node("th", promise["model"], scope="row")
        Node("td", promise.get("attribute") or t("release.classes"))
        Node("td", _figure(promise.get("threshold")))
        Node("td", _figure(promise.get("achieved")))
        kept = bool(promise.get("holds"))
        Node("td", t("release.kept") if kept else t("release.not_kept"), "good-text" if kept else "bad-text")


def _figure(value: Any) -> str:
    if isinstance(value, dict):
        return ", ".join(f"{key} {_figure(item)}" for key, item in value.items())
    return "–" if value is None else str(value)


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
        force = {"on": False}
        _draw_target(page, "release", studio.beside("-release"), lambda path: studio.save_release(path, force["on"]))
        if studio.table is not None:
            _draw_target(page, "policy", studio.beside("-policy.yaml"), lambda path: studio.save_policy(path, force["on"]))
        _draw_target(page, "report", studio.beside("-report.html"), lambda path: studio.save_report(path, force["on"]))
        check(t("save.force"), False, lambda on: force.update(on=on), key="force")


def _draw_target(page: Page, what: str, proposed: str, save: Any) -> None:
    t = page.t
    done = page.studio.saved.get(what)
    chosen = {"path": done or proposed}
    with Node("div", classes="row"):
        field(t(f"save.{what}"), chosen["path"], lambda text: chosen.update(path=text), key=f"save-{what}-path", wide=True)
        button(t("save.go"), lambda: page.act(lambda: save(chosen["path"].strip())), key=f"save-{what}", aria_label=f"{t('save.go')}: {t(f'save.{what}')}")
        if done:
            Node("span", t("save.done", path=done), "good-text", role="status")
