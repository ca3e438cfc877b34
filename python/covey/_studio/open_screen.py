"""Opens a table, a policy or a release."""

from __future__ import annotations

import os
from functools import partial

from .elements import Node, button, field
from .page import Page

_ENDINGS = (".csv", ".gz", ".zst", ".tsv", ".parquet", ".arrow", ".feather", ".sav", ".zsav", ".dta", ".sas7bdat", ".xpt", ".xlsx", ".xls", ".ods", ".yaml", ".yml")
_MOST = 40


def draw(page: Page) -> None:
    t = page.t
    Node("h1", t("open.title"))
    Node("p", t("open.text"), "lead")
    chosen = {"path": page.studio.path}

    def open_it(path: str) -> None:
        if path.strip():
            if page.act(lambda: page.studio.open(path.strip())):
                page.go("release" if page.studio.kind == "release" else "table")

    with Node("form", classes="row") as form:
        field(t("open.path"), page.studio.path, lambda text: chosen.update(path=text), key="path", wide=True, placeholder="people.csv, sqlite:people.db?table=people")
        button(t("open.go"), lambda: open_it(chosen["path"]), "main", key="open")
    form.on("submit", lambda event: open_it(event.args), js_handler="(e) => { e.preventDefault(); emit(e.target.querySelector('input').value) }")
    names = _names()
    if names:
        Node("h2", t("open.here"))
        with Node("ul", classes="files"):
            for name in names:
                with Node("li"):
                    button(name, partial(open_it, name), "file", key=f"file-{name}")


def _names() -> list[str]:
    """What can be opened of the folder that the studio was started in."""
    try:
        found = sorted(os.scandir("."), key=lambda entry: entry.name)
        return [
            entry.name
            for entry in found
            if (entry.is_dir() and os.path.exists(os.path.join(entry.name, "manifest.json")))
            or (entry.is_file() and entry.name.lower().endswith(_ENDINGS))
        ][:_MOST]
    except OSError:
        return []
