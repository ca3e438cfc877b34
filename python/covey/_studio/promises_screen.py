"""What is promised, and how the release is made."""

from __future__ import annotations

from functools import partial

import covey

from .page import Page
from .parts import Node, button, choice, field


def draw(page: Page) -> None:
    t = page.t
    Node("h1", t("promises.title"))
    Node("p", t("promises.lead"), "lead")
    with Node("section", aria_labelledby="yours-title"):
        Node("h2", t("promises.yours"), id="yours-title")
        page.region(("wishes",), lambda: _draw_promises(page))
    with Node("section", classes="row"):
        page.region(("wishes",), lambda: _draw_method(page), classes="row")


def _draw_promises(page: Page) -> None:
    t, studio = page.t, page.studio
    if not studio.promises:
        Node("p", t("promises.none"), "quiet")
    for at, promise in enumerate(studio.promises):
        _draw_promise(page, at, promise)
    models = [(model["name"], model["name"]) for model in covey.models()]
    with Node("div", classes="row"):
        chosen = {"model": models[0][0]}
        choice(models, models[0][0], lambda word: chosen.update(model=word), label=t("release.promise"), key="new-model")
        button(t("promises.add"), lambda: page.act(lambda: _add(page, chosen["model"])), key="add-promise")


def _model(name: str) -> dict[str, object]:
    return next((model for model in covey.models() if model["name"] == name), {})


def _draw_promise(page: Page, at: int, promise: dict[str, object]) -> None:
    t, studio = page.t, page.studio
    model = _model(str(promise["model"]))
    with Node("div", classes="promise"):
        Node("strong", promise["model"])
        for parameter in model.get("parameters", []):  # type: ignore[attr-defined]
            key = parameter["name"]
            if parameter["required"] or key in promise:
                field(key, str(promise.get(key, "")), partial(_set_later, page, at, key), key=f"promise-{at}-{key}", size="6")
        if "attribute" in promise:
            options = [(name, name) for name in dict.fromkeys([*studio.of_role("sensitive"), str(promise["attribute"])])]
            choice(options, str(promise["attribute"]), lambda name: page.act(lambda: _set(page, at, "attribute", name)), label=t("promises.attribute"), key=f"promise-{at}-of")
        button(t("promises.remove"), lambda: page.act(lambda: _remove(page, at)), "quiet", key=f"promise-{at}-remove")


def _set(page: Page, at: int, key: str, text: str) -> None:
    promises = [dict(promise) for promise in page.studio.promises]
    text = text.strip()
    promises[at][key] = int(text) if text.isdecimal() else text
    page.studio.set_promises(promises)


def _set_later(page: Page, at: int, key: str, text: str) -> None:
    page.act(lambda: _set(page, at, key, text))


def _remove(page: Page, at: int) -> None:
    page.studio.set_promises([promise for i, promise in enumerate(page.studio.promises) if i != at])


def _add(page: Page, name: str) -> None:
    model = _model(name)
    promise: dict[str, object] = {"model": name}
    for parameter in model.get("parameters", []):  # type: ignore[attr-defined]
        if parameter["required"]:
            promise[parameter["name"]] = parameter["minimum"] or ""
    sensitive = page.studio.of_role("sensitive")
    if name != "k-anonymity" and sensitive:
        promise["attribute"] = sensitive[0]
    page.studio.set_promises([*page.studio.promises, promise])


def _draw_method(page: Page) -> None:
    t, studio = page.t, page.studio
    methods = [("auto", "auto"), *((method["name"], method["name"]) for method in covey.methods())]
    choice(methods, str(studio.method.get("name", "auto")), lambda name: page.act(lambda: _set_method(page, name)), label=t("promises.method"), key="method")
    field(t("promises.suppression"), studio.suppression, lambda text: page.act(lambda: _set_suppression(page, text)), key="suppression", size="8")


def _set_method(page: Page, name: str) -> None:
    page.studio.method = {"name": name}
    page.studio.touch("wishes")


def _set_suppression(page: Page, text: str) -> None:
    page.studio.suppression = text.strip() or "0"
    page.studio.touch("wishes")
