"""Plots in the colours of the page. Each stands beside a table with the same figures, for those who do not see it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from nicegui import ui

from .elements import shown


def _colour(name: str) -> str:
    """A colour of studio.css; the browser looks it up, light or dark."""
    return f"coveyColour('{name}')"


def _axis(name: str = "", **more: Any) -> dict[str, Any]:
    axis: dict[str, Any] = {
        "name": name,
        "nameLocation": "middle",
        "nameGap": 30,
        "nameTextStyle": {":color": _colour("soft"), "fontSize": 13},
        "axisLabel": {":color": _colour("soft"), "fontSize": 12, "hideOverlap": True},
        "axisLine": {"lineStyle": {":color": _colour("line")}},
        "axisTick": {"show": False},
        "splitLine": {"lineStyle": {":color": _colour("line"), "opacity": 0.6}},
    }
    axis.update(more)
    return axis


def _plot(options: dict[str, Any], label: str, height: str, click: Callable[[Any], Any] | None = None) -> Any:
    base: dict[str, Any] = {
        "animation": False,
        "textStyle": {"fontFamily": "system-ui, -apple-system, 'Segoe UI', 'Noto Sans', 'DejaVu Sans', sans-serif"},
        "grid": {"left": 64, "right": 24, "top": 34, "bottom": 46},
        "tooltip": {
            "trigger": "item",
            "renderMode": "richText",
            ":backgroundColor": _colour("raised"),
            ":borderColor": _colour("line"),
            "textStyle": {":color": _colour("ink"), "fontSize": 13},
        },
    }
    chart = ui.echart({**base, **options}, on_point_click=click, renderer="svg")
    chart.classes("plot").style(f"height: {height}")
    chart.props["role"] = "img"
    chart.props["aria-label"] = shown(label)
    return chart


def _legend() -> dict[str, Any]:
    return {"top": 0, "left": 0, "itemWidth": 14, "itemHeight": 8, "textStyle": {":color": _colour("ink"), "fontSize": 13}}


def before_and_after(rows: list[dict[str, Any]], words: dict[str, str], label: str) -> Any:
    """Bars of the original, estimates of the release, and their bounds as a band behind."""
    values = [shown(row["value"]) or "–" for row in rows]
    series: list[dict[str, Any]] = []
    if any(row["before"] is not None for row in rows):
        series.append(
            {
                "name": words["before"],
                "type": "bar",
                "data": [row["before"] for row in rows],
                "itemStyle": {":color": _colour("field"), "opacity": 0.55},
                "barMaxWidth": 26,
            }
        )
    series += [
        {
            "name": words["bounds"],
            "type": "custom",
            ":renderItem": "coveyInterval",
            "encode": {"x": 0, "y": [1, 2]},
            "data": [[i, row["lower"], row["upper"]] for i, row in enumerate(rows)],
            "itemStyle": {":color": _colour("accent")},
            "clip": True,
            "z": 3,
        },
        {
            "name": words["after"],
            "type": "scatter",
            "symbolSize": 7,
            "data": [row["after"] for row in rows],
            "itemStyle": {":color": _colour("accent")},
            "z": 4,
        },
    ]
    options = {
        "legend": _legend(),
        "xAxis": _axis(type="category", data=values, splitLine={"show": False}),
        "yAxis": _numbers(_axis("", type="value", **_height(rows))),
        "series": series,
    }
    return _plot(options, label, "19rem")


def is_cut(rows: list[dict[str, Any]]) -> bool:
    """Do bounds reach beyond the plot, so that what lies within can be seen?"""
    return bool(_height(rows))


def _height(rows: list[dict[str, Any]]) -> dict[str, Any]:
    shown_values = [row[key] for row in rows for key in ("before", "after") if row[key] is not None]
    most = 2.5 * max(shown_values, default=0)
    return {"max": float(f"{most:.1g}")} if most > 0 and any((row["upper"] or 0) > most for row in rows) else {}


def bars(names: list[str], counts: list[int], words: dict[str, str], label: str) -> Any:
    series = {"type": "bar", "data": counts, "itemStyle": {":color": _colour("accent")}, "barMaxWidth": 26, "barCategoryGap": "18%"}
    options = {
        "xAxis": _axis(words["x"], type="category", data=names, splitLine={"show": False}),
        "yAxis": _numbers(_axis(words["y"], type="value", nameGap=48)),
        "series": [series],
    }
    return _plot(options, label, "17rem")


def _numbers(axis: dict[str, Any]) -> dict[str, Any]:
    axis["axisLabel"][":formatter"] = "coveyNumber"
    return axis


def _percents(name: str, **more: Any) -> dict[str, Any]:
    axis = _axis(name, type="value", scale=True, **more)
    axis["axisLabel"][":formatter"] = "coveyPercent"
    return axis


def points(found: list[dict[str, Any]], words: dict[str, str], label: str, choose: Callable[[int], Any]) -> Any:
    """Releases as points (`name`, `x`, `y`, `best`, `chosen`); the best ones joined by a line."""
    joined = sorted(([p["x"], p["y"]] for p in found if p["best"]), key=lambda pair: pair[0])

    def group(best: bool) -> dict[str, Any]:
        return {
            "name": words["best"] if best else words["others"],
            "type": "scatter",
            "data": [
                {
                    "value": [p["x"], p["y"]],
                    "name": shown(p["name"]),
                    "point": at,
                    "symbolSize": 19 if p["chosen"] else 13,
                    "itemStyle": {":borderColor": _colour("ink"), "borderWidth": 2 if p["chosen"] else 0},
                    "label": {"show": best, "position": "top", "formatter": "{b}", ":color": _colour("soft"), "fontSize": 11},
                }
                for at, p in enumerate(found)
                if p["best"] is best
            ],
            "itemStyle": {":color": _colour("accent" if best else "field")},
            "labelLayout": {"hideOverlap": True, "moveOverlap": "shiftY"},
            "tooltip": {"formatter": "{b}"},
            "z": 3 if best else 2,
        }

    line = {
        "name": words["best"],
        "type": "line",
        "data": joined,
        "showSymbol": False,
        "silent": True,
        "lineStyle": {":color": _colour("accent"), "width": 1.5},
        "itemStyle": {":color": _colour("accent")},
    }
    options = {
        "legend": {**_legend(), "data": [words["best"], words["others"]]},
        "xAxis": _percents(words["x"]),
        "yAxis": _percents(words["y"], nameGap=48),
        "series": [line, group(False), group(True)],
    }
    return _plot(options, label, "24rem", lambda event: choose(int(event.data["point"])) if isinstance(event.data, dict) else None)
