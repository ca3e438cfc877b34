"""How values become groups: proposed for each column, shown as a tree, changed by dragging or by keyboard."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable
from functools import partial
from typing import Any

from nicegui.element import Element

import covey

from . import save_panel, tree_lines
from .column_lines import parsed
from .elements import Node, button, choice, complaint, field, shown
from .page import Page
from .tree_lines import Lines

_MOST_VALUES = 5000


class Tree(Element, component="tree.js"):
    """A hierarchy; `choose`, `put` and `more` (to see more children) are told ids of nodes, which are level:label."""

    def __init__(
        self, caption: str, root: dict[str, Any], selected: str, choose: Callable[[str], Any], put: Callable[[str, str], Any], more: Callable[[str], Any]
    ) -> None:
        super().__init__()
        self._props["caption"] = shown(caption)
        self._props["root"] = root
        self._props["selected"] = selected
        self.on("choose", lambda event: choose(str(event.args)))
        self.on("more", lambda event: more(str(event.args)))
        self.on("put", lambda event: put(str(event.args[0]), str(event.args[1])))


def draw(page: Page) -> None:
    t = page.t
    Node("h1", t("hierarchies.title"))
    Node("p", t("hierarchies.lead"), "lead")
    page.region(("wishes", "hierarchy"), lambda: _draw_columns(page), shows=lambda: (_chosen(page), *_columns(page), *page.studio.hierarchies))
    page.region(("hierarchies", "hierarchy"), lambda: _draw_column(page))


def _columns(page: Page) -> list[str]:
    return [name for name, role in page.studio.roles.items() if role in ("quasi-identifier", "sensitive")]


def _chosen(page: Page) -> str | None:
    names = _columns(page)
    name = page.kept.get("hierarchy")
    return name if name in names else next(iter(names), None)


def _draw_columns(page: Page) -> None:
    own = _chosen(page)
    with Node("div", classes="row columns-of", role="group", aria_label=page.t("table.columns")):
        for name in _columns(page):
            text = name if name not in page.studio.hierarchies else f"{name} ✓"
            button(text, partial(_show, page, name), "small", key=f"hierarchy-of-{name}", aria_pressed="true" if name == own else "false")


def _show(page: Page, name: str) -> None:
    page.kept["hierarchy"] = name
    page.kept.pop("node", None)
    page.draw_again("hierarchy")


def _draw_column(page: Page) -> None:
    t, name = page.t, _chosen(page)
    if name is None:
        Node("p", t("hierarchies.none"), "quiet")
        return
    Node("h2", name)
    spec = page.studio.hierarchies.get(name)
    with Node("div", classes="row"):
        for at, (label, proposal) in enumerate(_proposals(page, name)):
            button(label, partial(_set_later, page, name, proposal), "small", key=f"propose-{at}", aria_pressed="true" if proposal == spec else "false")
    chosen = {"path": ""}
    with Node("div", classes="row"):
        field(t("hierarchies.file"), "", lambda text: chosen.update(path=text.strip()), key="hierarchy-file", wide=True)
        button(t("open.go"), lambda: page.act(lambda: _open_file(page, name, chosen["path"])), key="hierarchy-open")
    if spec is None:
        Node("p", t("hierarchies.without"), "quiet")
        return
    try:
        lines = page.studio.lines_of(name)
    except (covey.Error, OSError) as error:
        complaint(t, error)
        return
    with Node("div", classes="two tree-and-tools"):
        with Node("div", classes="tree-box", tabindex="0", role="region", aria_label=t("hierarchies.tree", column=name)):
            _draw_tree(page, name, lines)
        with Node("div"):
            _draw_tools(page, name, lines)
            _draw_save(page, name)


def _proposals(page: Page, name: str) -> list[tuple[str, Any]]:
    """What fits the column, with the library's own proposal first."""
    t, table = page.t, page.studio.table
    assert table is not None
    column = table.column(name)
    found: list[tuple[str, Any]] = [(t("hierarchies.no"), None)]
    for key in ("hierarchy", "alternative"):
        if column.get(key):
            spec = parsed(str(column[key]))
            widths = (spec.get("interval") or {}).get("widths") if isinstance(spec, dict) else None
            label = t("hierarchies.intervals", widths=", ".join(map(str, widths))) if widths else str(column[key])
            found.append((label, spec))
    if column["type"] in ("integer", "decimal"):
        found.append((t("hierarchies.halves"), {"balanced": 2}))
    elif column["type"] == "date":
        found += [(t("hierarchies.months"), {"date": ["month", "year"]}), (t("hierarchies.years"), {"date": ["year"]})]
    elif column["distinct"] <= _MOST_VALUES:
        lengths = {len(value) for value, _ in table.commonest(name, _MOST_VALUES) if value}
        if len(lengths) == 1 and 1 < next(iter(lengths)) <= 40:
            found.append((t("hierarchies.mask"), {"mask": next(iter(lengths))}))
        found.append((t("hierarchies.hand"), {"lines": [[value, t("hierarchies.group", n=1), "*"] for value, _ in table.commonest(name, _MOST_VALUES)]}))
    return found


def _set_later(page: Page, name: str, spec: Any) -> None:
    page.kept.pop("node", None)
    page.act(lambda: page.studio.set_hierarchy(name, spec))


def _open_file(page: Page, name: str, path: str) -> None:
    if path:
        page.studio.set_hierarchy(name, {"file": path})


# ---- the tree ----


def _draw_tree(page: Page, name: str, lines: Lines) -> None:
    table = page.studio.table
    assert table is not None
    counts = dict(table.commonest(name, table.counts(name).num_rows))
    seen: Counter[str] = page.kept.setdefault(f"tree-{name}", Counter())
    root = _visible(tree_lines.tree(lines, counts, page.t.number, seen))

    def choose(node: str) -> None:
        page.kept["node"] = node
        page.draw_again("hierarchy")

    def put(node: str, target: str) -> None:
        level, label = _node_of(node)
        above, group = _node_of(target)
        if above > level:
            page.act(lambda: page.studio.change_hierarchy(name, tree_lines.put(lines, level, label, above, group)))

    def more(node: str) -> None:
        seen[node] += tree_lines.N_MORE
        page.draw_again("hierarchy")

    Tree(page.t("hierarchies.tree", column=name), root, page.kept.get("node", ""), choose, put, more)


def _visible(node: dict[str, Any]) -> dict[str, Any]:
    return {**node, "label": shown(node["label"]), **({"children": [_visible(c) for c in node["children"]]} if "children" in node else {})}


def _node_of(node: str) -> tuple[int, str]:
    level, _, label = node.partition(":")
    return (int(level) if level.isdecimal() else 0), label


def _draw_tools(page: Page, name: str, lines: Lines) -> None:
    t, studio = page.t, page.studio
    level, label = _node_of(page.kept.get("node", ""))
    last = len(lines[0]) - 1
    if page.kept.get("node") is None or level > last or label not in tree_lines.nodes(lines, level):
        Node("p", t("hierarchies.pick"), "quiet")
    else:
        Node("h3", label or "–")

        def change(new: Callable[[], Lines], node: str | None) -> None:
            page.kept["node"] = node
            page.act(lambda: studio.change_hierarchy(name, new()))

        if 0 < level:
            _draw_tool(page, "rename", label, lambda text: change(lambda: tree_lines.rename(lines, level, label, text), f"{level}:{text}"))
        if level < last - 1:
            groups = tree_lines.nodes(lines, level + 1)
            _draw_menu(page, "move", groups, lambda group: change(lambda: tree_lines.move(lines, level, label, group), f"{level}:{label}"))
            _draw_tool(page, "new", "", lambda text: change(lambda: tree_lines.move(lines, level, label, text), f"{level}:{label}"))
        if 0 < level < last:
            others = [node for node in tree_lines.nodes(lines, level) if node != label]
            _draw_menu(page, "merge", others, lambda other: change(lambda: tree_lines.merge(lines, level, label, other), f"{level}:{other}"))
        with Node("div", classes="row"):
            if level < last:
                button(t("hierarchies.add_level"), lambda: change(lambda: tree_lines.add_level(lines, level), None), "small", key="add-level")
            if 0 < level < last:
                button(t("hierarchies.remove_level"), lambda: change(lambda: tree_lines.remove_level(lines, level), None), "small", key="remove-level")
    if studio.can_undo(name):
        button(t("hierarchies.undo"), lambda: page.act(lambda: studio.undo_hierarchy(name)), "small", key="undo")


def _draw_tool(page: Page, what: str, value: str, act: Callable[[str], Any]) -> None:
    chosen = {"text": value}
    with Node("div", classes="row"):
        field(page.t(f"hierarchies.{what}"), value, lambda text: chosen.update(text=text.strip()), key=f"tree-{what}")
        button(page.t("hierarchies.do"), lambda: act(chosen["text"]), key=f"tree-{what}-do", aria_label=page.t(f"hierarchies.{what}"))


def _draw_menu(page: Page, what: str, names: list[str], act: Callable[[str], Any]) -> None:
    if not names:
        return
    chosen = {"text": names[0]}
    with Node("div", classes="row"):
        choice([(n, n or "–") for n in names[:500]], names[0], lambda text: chosen.update(text=text), label=page.t(f"hierarchies.{what}"), key=f"tree-{what}")
        button(page.t("hierarchies.do"), lambda: act(chosen["text"]), key=f"tree-{what}-do", aria_label=page.t(f"hierarchies.{what}"))


def _draw_save(page: Page, name: str) -> None:
    t, studio = page.t, page.studio
    spec = studio.hierarchies.get(name)
    file = str(spec["file"]) if isinstance(spec, dict) and set(spec) == {"file"} else ""
    done = file if studio.has_written(file) else None
    act = partial(studio.save_hierarchy, name)
    save_panel.draw(page, f"hierarchy-{name}", t("hierarchies.save"), f"{name}.csv".replace("/", "_"), done, act)
    if file and done is None:
        Node("p", t("hierarchies.from", path=file), "quiet")
    elif isinstance(spec, dict) and not set(spec) & {"lines", "file"}:
        Node("code", json.dumps(spec, ensure_ascii=False))
