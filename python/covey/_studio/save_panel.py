"""A line to save something in: the name, the button, what came of it."""

from __future__ import annotations

from collections.abc import Callable

from .._errors import Error
from .elements import Node, button, complaint, field
from .page import Page
from .words import Refused


def draw(page: Page, what: str, label: str, proposed: str, done: str | None, save: Callable[[str, bool], None]) -> None:
    """what: a key of this line; save: gets the name, and whether what is there may be replaced."""
    page.region((f"save-{what}",), lambda: _draw(page, what, label, proposed, done, save))


def _draw(page: Page, what: str, label: str, proposed: str, done: str | None, save: Callable[[str, bool], None]) -> None:
    t, kept = page.t, page.kept
    own: tuple[str, Exception | None] = kept.get(f"save-{what}", (done or proposed, None))
    chosen, trouble = {"path": own[0]}, own[1]

    def act(force: bool = False) -> None:
        path = chosen["path"].strip()
        try:
            save(path, force)
            kept.pop(f"save-{what}", None)
        except (Error, OSError) as error:
            kept[f"save-{what}"] = (path, error)
        page.draw_again(f"save-{what}")

    with Node("div", classes="row"):
        field(label, chosen["path"], lambda text: chosen.update(path=text), key=f"save-{what}-path", wide=True)
        button(t("save.go"), act, key=f"save-{what}", aria_label=f"{t('save.go')}: {label}")
        if done and trouble is None:
            Node("span", t("save.done", path=done), "good-text", role="status")
    if trouble is not None:
        with complaint(t, trouble, title="save.failed"):
            if isinstance(trouble, Refused) and trouble.key == "save.exists":
                button(t("save.replace"), lambda: act(True), "small", key=f"save-{what}-replace", aria_label=f"{t('save.replace')}: {label}")
