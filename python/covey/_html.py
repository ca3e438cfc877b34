"""What notebooks show. Everything that comes from data is escaped."""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING, Any

from ._errors import InputError

if TYPE_CHECKING:
    from ._release import Release, Verdict

_MOST_ROWS = 60


def _cell(value: Any) -> str:
    if value is None:
        return "<td></td>"
    if isinstance(value, float):
        return f'<td style="text-align:right">{value:.4g}</td>'
    if isinstance(value, int) and not isinstance(value, bool):
        return f'<td style="text-align:right">{value:,}</td>'
    return f'<td style="text-align:left">{escape(str(value))}</td>'


def table(rows: list[dict[str, Any]]) -> str:
    """A table with a column for every key of the first row."""
    if not rows:
        return "<p>nothing</p>"
    names = list(rows[0])
    head = "".join(f'<th style="text-align:left">{escape(str(name))}</th>' for name in names)
    body = "".join("<tr>" + "".join(_cell(row.get(name)) for name in names) + "</tr>" for row in rows[:_MOST_ROWS])
    more = f"<p>and {len(rows) - _MOST_ROWS:,} more</p>" if len(rows) > _MOST_ROWS else ""
    return f"<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>{more}"


def _promises(promises: list[dict[str, Any]]) -> str:
    names = ("model", "attribute", "threshold", "achieved", "holds")
    return table([{name: promise.get(name) for name in names} for promise in promises])


def verdict(found: Verdict) -> str:
    """A verdict: whether it holds, each promise, each problem."""
    says = "holds" if found.holds else "does <b>not</b> hold"
    faithful = {None: "", True: ", and is faithful to the original", False: ", and is <b>not</b> faithful to the original"}
    problems = "".join(f"<li>{escape(problem)}</li>" for problem in found.problems)
    units = ""
    if found.holds and found.units is not None and not found.units["proven"]:
        units = f" Over its {found.units['published']:,} persons, households or firms that is as the publisher states it."
    return f"<p>The release {says}{faithful[found.faithful]}.{units}</p>{_promises(found.promises)}<ul>{problems}</ul>"


def release(shown: Release) -> str:
    """A release: counts, promises, utility."""
    try:
        manifest = shown.manifest
    except InputError:  # it was closed
        return f"<p>{escape(repr(shown))}</p>"
    method = manifest.get("method") or {}
    facts = {
        "form": shown.form,
        "method": method.get("name") if isinstance(method, dict) else method,
        "rows": manifest.get("rows"),
        "published": manifest.get("published_rows"),
        "suppressed": manifest.get("suppressed_rows"),
        "classes": manifest.get("classes"),
        **{key: value for key, value in shown.utility.items() if not isinstance(value, (dict, list))},
    }
    return f"<p><b>covey release</b></p>{table([facts])}{_promises(shown.promises)}"
