"""What is promised: chosen by what somebody fears, said with the numbers of this table."""

from __future__ import annotations

from functools import cache, partial
from typing import Any

import covey

from . import trouble
from .contest import number_or_text
from .elements import Node, button, check, choice, field, notice, told
from .meaning import sentence
from .page import Page
from .words import Refused

# The README's table: what somebody fears, and the models that stop it, with a threshold to start from.
FEARS: dict[str, dict[str, dict[str, Any]]] = {
    "found": {"k-anonymity": {"k": 5}},
    "certain": {"distinct-l-diversity": {"l": 2}, "p-sensitive-k-anonymity": {"p": 2, "k": 5}},
    "likely": {
        "probabilistic-l-diversity": {"l": 2},
        "entropy-l-diversity": {"l": 2},
        "recursive-cl-diversity": {"c": 3, "l": 2},
        "alpha-k-anonymity": {"alpha": "1/2", "k": 5},
    },
    "likelier": {"enhanced-beta-likeness": {"beta": 4}, "basic-beta-likeness": {"beta": 4}, "delta-disclosure": {"delta": 2}},
    "different": {"t-closeness": {"t": "0.2"}},
    "number": {"ke-anonymity": {"k": 5, "e": 10}, "min-length": {"length": 5}},
}


@cache
def _models() -> dict[str, dict[str, Any]]:
    return {model["name"]: model for model in covey.models()}


@cache
def _methods() -> list[str]:
    return [method["name"] for method in covey.methods()]


def draw(page: Page) -> None:
    t = page.t
    Node("h1", t("promises.title"))
    Node("p", t("promises.lead"), "lead")
    with Node("div", classes="two"):
        with Node("section", aria_labelledby="fears-title"):
            Node("h2", t("promises.fears"), id="fears-title")
            _draw_fears(page)
        with Node("section", aria_labelledby="yours-title"):
            Node("h2", t("promises.yours"), id="yours-title")
            page.region(("promises",), lambda: _draw_promises(page))
            with Node("div", classes="row"):
                _draw_method(page)
            page.region(("probe",), lambda: _draw_probe(page), aria_live="polite")
    page.studio.probe()


# ---- choosing ----


def _draw_fears(page: Page) -> None:
    t = page.t
    for fear, models in FEARS.items():
        with Node("div", classes="fear"):
            Node("p", t(f"fear.{fear}"), "what")
            with Node("div", classes="row"):
                for model, parameters in models.items():
                    label = f"{t('promises.add')}: {model}"
                    button(f"+ {model}", partial(_add_later, page, model, parameters), "small", key=f"add-{model}", aria_label=label)
            Node("p", f"{t('fear.not')} {t(f'fear.{fear}.not')}", "quiet small")
    with Node("div", classes="fear"):
        Node("p", t("fear.again"), "what")
        Node("p", t("fear.again.elsewhere"), "quiet small")
    with Node("fieldset"):
        Node("legend", t("promises.presets"))
        with Node("div", classes="checks"):
            for preset in covey.presets():
                on = preset["name"] in page.studio.presets
                with Node("div"):
                    check(preset["name"], on, partial(_preset_later, page, preset["name"]), key=f"preset-{preset['name']}")
                    told(t, preset["summary"], classes="quiet small")


def _add_later(page: Page, model: str, parameters: dict[str, Any]) -> None:
    page.act(lambda: _add(page, model, parameters))


def _add(page: Page, model: str, parameters: dict[str, Any]) -> None:
    studio = page.studio
    promise = {"model": model, **parameters}
    if model == "min-length":
        numbers = [name for name in studio.of_role("quasi-identifier") if _is_number(page, name)]
        if not numbers:
            raise Refused("promises.no_number")
        promise["attribute"] = numbers[0]
    elif model != "k-anonymity":
        sensitive = studio.of_role("sensitive")
        if not sensitive:
            raise Refused("promises.no_sensitive")
        promise["attribute"] = sensitive[0]
    studio.set_promises([*studio.promises, promise])
    studio.probe()


def _is_number(page: Page, name: str) -> bool:
    table = page.studio.table
    return table is not None and table.column(name)["type"] in ("integer", "decimal")


def _preset_later(page: Page, name: str, on: bool) -> None:
    def work() -> None:
        page.studio.set_preset(name, on)
        page.studio.probe()

    page.act(work)


# ---- what was chosen ----


def _draw_promises(page: Page) -> None:
    t, studio = page.t, page.studio
    if not studio.promises:
        Node("p", t("promises.none"), "quiet")
    for at, promise in enumerate(studio.promises):
        _draw_promise(page, at, promise)


def _draw_promise(page: Page, at: int, promise: dict[str, Any]) -> None:
    t, studio = page.t, page.studio
    model = _models().get(str(promise["model"]), {"parameters": []})
    with Node("div", classes="promise"):
        with Node("div", classes="promise-head"):
            Node("strong", promise["model"])
            label = f"{t('promises.remove')}: {promise['model']}"
            button(t("promises.remove"), partial(_remove_later, page, at), "quiet", key=f"promise-{at}-remove", aria_label=label)
        with Node("div", classes="row"):
            for parameter in model["parameters"]:
                _draw_parameter(page, at, promise, parameter)
            if "attribute" in promise:
                role = "quasi-identifier" if promise["model"] == "min-length" else "sensitive"
                names = dict.fromkeys([*studio.of_role(role), str(promise["attribute"])])
                act = partial(_set_later, page, at, "attribute")
                own = str(promise["attribute"])
                node = choice([(n, n) for n in names], own, act, label=t("promises.attribute"), key=f"promise-{at}-of")
                page.watch(("wishes",), node, lambda: _value(page, at, "attribute"))
        page.region(("wishes",), lambda: _draw_meaning(page, at))


def _draw_meaning(page: Page, at: int) -> None:
    promises = page.studio.promises
    said = sentence(page.t, page.studio, promises[at]) if at < len(promises) else ""
    if said:
        Node("p", said)


def _value(page: Page, at: int, key: str) -> str:
    promises = page.studio.promises
    return str(promises[at].get(key, "")) if at < len(promises) else ""


def _draw_parameter(page: Page, at: int, promise: dict[str, Any], parameter: dict[str, Any]) -> None:
    name = parameter["name"]
    if parameter["choices"]:
        options = [(word, word) for word in parameter["choices"]]
        value = str(promise.get(name) or parameter["default"] or options[0][0])
        if name == "distance" or name in promise:
            node = choice(options, value, partial(_set_later, page, at, name), label=name, key=f"promise-{at}-{name}")
            page.watch(("wishes",), node, lambda: _value(page, at, name) or value)
    elif (parameter["required"] or name in promise) and not isinstance(promise.get(name), (dict, list)):
        value = str(promise.get(name, ""))
        node = field(name, value, partial(_set_later, page, at, name), key=f"promise-{at}-{name}", size="6", title=parameter["help"])
        page.watch(("wishes",), node, lambda: _value(page, at, name))


def _set_later(page: Page, at: int, key: str, text: str) -> None:
    def work() -> None:
        promises = [dict(promise) for promise in page.studio.promises]
        word = text.strip()
        promises[at][key] = word if key == "attribute" else number_or_text(word)
        page.studio.set_promises(promises)
        page.studio.probe()

    page.act(work)


def _remove_later(page: Page, at: int) -> None:
    def work() -> None:
        page.studio.set_promises([promise for i, promise in enumerate(page.studio.promises) if i != at])
        page.studio.probe()

    page.act(work)


def _draw_method(page: Page) -> None:
    t, studio = page.t, page.studio
    methods = [(name, name) for name in ("auto", *_methods())]
    method = choice(methods, str(studio.method.get("name", "auto")), partial(_set_method, page), label=t("promises.method"), key="method")
    page.watch(("wishes",), method, lambda: str(studio.method.get("name", "auto")))
    node = field(t("promises.suppression"), studio.suppression, partial(_set_suppression, page), key="suppression", size="8")
    page.watch(("wishes",), node, lambda: studio.suppression)


def _set_method(page: Page, name: str) -> None:
    page.studio.method = {"name": name}
    page.studio.touch("wishes")
    page.act(page.studio.probe)


def _set_suppression(page: Page, text: str) -> None:
    page.studio.suppression = str(number_or_text(text.strip() or "0"))
    page.studio.touch("wishes")
    page.act(page.studio.probe)


# ---- whether it can be kept ----


def _draw_probe(page: Page) -> None:
    t, job = page.t, page.studio.probing
    if job is None:
        return
    if job.is_running:
        notice("plain", t("job.probe"))
    elif job.state == "done":
        facts = job.result
        loss = t.percent((facts.get("utility") or {}).get("ail"))
        notice("good", t("probe.yes"), t("probe.yes.text", classes=facts.get("classes") or 0, loss=loss, method=str(facts.get("method"))))
    elif job.state == "failed":
        trouble.draw(page, job.error, "probe.no")
