"""The few things that the pages are made of: native elements of HTML, so that keyboards and screen readers know them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any

from nicegui.element import Element
from nicegui.elements.mixins.text_element import TextElement

from .words import Words


class Node(TextElement):
    """An element with a text, never with HTML: whatever a table holds is shown as it is."""

    def __init__(self, tag: str, text: object = "", classes: str = "", **attributes: Any) -> None:
        super().__init__(tag=tag, text=shown(str(text)))
        if classes:
            self._classes.extend(classes.split())
        for name, value in attributes.items():
            self.set(name, value)

    def set(self, name: str, value: Any) -> Node:
        """An attribute; None and False take it away. `data_key` stands for data-key."""
        key = name.rstrip("_").replace("_", "-")
        if value is None or value is False:
            self._props.pop(key, None)
        else:
            self._props[key] = "" if value is True else value
        self.update()
        return self


def shown(text: str) -> str:
    """A text with what cannot be seen made visible: control characters and marks of direction."""
    return "".join(_visible(character) for character in text) if not text.isascii() or not text.isprintable() else text


def _visible(character: str) -> str:
    code = ord(character)
    if code < 32 and character != "\n" or code == 127:
        return chr(0x2400 + code) if code < 32 else "\u2421"
    if 0x80 <= code < 0xA0 or code in (0x200E, 0x200F, 0x061C) or 0x202A <= code <= 0x202E or 0x2066 <= code <= 0x2069:
        return f"\\u{code:04x}"
    return "\ufffd" if 0xD800 <= code <= 0xDFFF else character


def button(text: str, act: Callable[[], Any], kind: str = "", *, key: str | None = None, **attributes: Any) -> Node:
    """kind: main for the one that goes on, quiet for one among many."""
    node = Node("button", text, f"button {kind}", type="button", data_key=key or text, **attributes)
    node.on("click", lambda: act(), args=[])
    return node


# The framework sets every value again when anything on the page is drawn: it has to know what was typed at once.
_REMEMBER = "(e) => { const own = mounted_app.elements[e.target.id.slice(1)]; if (own) own.props.value = e.target.value; }"


def _listen(node: Node, act: Callable[[str], Any]) -> None:
    def hear(event: Any) -> None:
        node._props["value"] = str(event.args)  # the browser has it already
        act(str(event.args))

    node.on("input", js_handler=_REMEMBER)
    node.on("change", hear, js_handler="(e) => emit(e.target.value)")


def choice(
    options: Iterable[tuple[str, str]], value: str, act: Callable[[str], Any], *, label: str, key: str, visible: bool = True
) -> Node:
    """A native menu of (value, text); the label is seen or only read aloud."""
    with Node("div", classes="field"):
        name = Node("label", label, "" if visible else "unseen")
        with Node("select", data_key=key) as node:
            for word, text in options:
                Node("option", text, value=word, selected=word == value)
        name.set("for", node.html_id)
        node.set("value", value)
        _listen(node, act)
    return node


def field(
    label: str, value: str, act: Callable[[str], Any], *, key: str, visible: bool = True, wide: bool = False, **attributes: Any
) -> Node:
    """A line to type; act gets the text when it is left or Enter is pressed."""
    with Node("div", classes="field wide" if wide else "field"):
        name = Node("label", label, "" if visible else "unseen")
        node = Node("input", value=value, data_key=key, autocomplete="off", spellcheck="false", **attributes)
        name.set("for", node.html_id)
        _listen(node, act)
    return node


def check(label: str, value: bool, act: Callable[[bool], Any], *, key: str) -> Node:
    with Node("label", classes="check"):
        node = Node("input", type="checkbox", checked=value, data_key=key)
        node.on("change", lambda event: act(bool(event.args)), js_handler="(e) => emit(e.target.checked)")
        Node("span", label)
    return node


def notice(kind: str, title: str, text: str = "") -> Node:
    """kind: good, bad, warn or plain. It is read aloud when it appears."""
    with Node("div", classes=f"notice {kind}", role="alert" if kind == "bad" else "status") as node:
        Node("strong", title)
        if text:
            Node("p", text)
    return node


def told(t: Words, what: object, tag: str = "p", classes: str = "", before: str = "") -> Node:
    """What the page or the library says; what no catalogue has is English, and says so to whoever reads it aloud."""
    pieces = t.said(what)
    if len(pieces) == 1 and not before:
        return Node(tag, pieces[0].text, classes, lang=None if pieces[0].is_known else "en")
    with Node(tag, classes=classes) as node:
        if before:
            Node("span", f"{before} ")
        for at, piece in enumerate(pieces):
            Node("span", piece.text + " " * (at + 1 < len(pieces)), lang=None if piece.is_known else "en")
    return node


def complaint(t: Words, what: object, kind: str = "bad", title: str = "error") -> Node:
    """A notice of what went wrong."""
    with notice(kind, t(title)) as node:
        told(t, what)
    return node


def meter(share: float, label: str = "", kind: str = "") -> Node:
    """A thin bar from 0 to 1; its number stands beside it, so that it is for the eye alone."""
    with Node("span", classes=f"bar {kind}", aria_hidden="true") as node:
        Node("span", style=f"width:{min(max(share, 0), 1) * 100:.2f}%")
    if label:
        Node("span", label, "figure")
    return node


def sparkline(counts: Sequence[int], titles: Sequence[str], label: str) -> Node:
    """Small upright bars; label says in words what they show."""
    top = max(counts, default=0) or 1
    with Node("span", classes="spark", role="img", aria_label=shown(label)) as node:
        for count, title in zip(counts, titles):
            Node("span", style=f"height:{max(count / top * 100, 4 if count else 0):.1f}%", title=shown(title))
    return node


class Grid(Element, component="grid.js"):
    """A table of texts, drawn by the browser from one message.

    columns: mappings with `label`, `sub` (a second line), `right` (numbers), `kind` (a class).
    rows: lists of cells: a text, or [text, class, a second line]; the second line may be left out.
    """

    def __init__(self, caption: str, columns: list[dict[str, Any]], rows: list[list[Any]], key: str) -> None:
        super().__init__()
        self._props["caption"] = caption
        self._props["grid-key"] = key
        self._props["columns"] = [{**column, "label": shown(column["label"])} for column in columns]
        self.fill(rows)

    def fill(self, rows: list[list[Any]]) -> None:
        self._props["rows"] = [[shown(c) if isinstance(c, str) else [shown(c[0]), *c[1:2], *map(shown, c[2:])] for c in row] for row in rows]
        self.update()
