"""What covey studio is given: hostile names and values, what cannot be opened, releases and hierarchies of others."""

from __future__ import annotations

import os
import shlex
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import covey
from conftest import write_csv
from studio_browser import ROLES, Server, anonymize, browser, choose_roles, go, many_people, rows_of, start, tab, wait_for

pytest.importorskip("nicegui", reason="skipped: nicegui is not installed (covey[studio])")
pytest.importorskip("pyarrow", reason="skipped: pyarrow is not installed (covey[studio])")

VIEWS = ("Overview", "Rows", "Loss", "Distributions", "Risks", "Questions")
HOSTILE = ["<img src=x onerror=window.hit=1>", "=HYPERLINK(\"http://evil.example\")", "{{constructor.constructor('window.hit=1')()}}", ":x", "a\u202eb\x07c", "--seed"]


def test_hostile_names_and_values_are_texts(tmp_path: Path, start: Callable[..., Server], tab: Callable[..., Any], command: Callable[..., Any]) -> None:
    names = ["<script>window.hit=1</script>", HOSTILE[2], "--quasi,x"]
    rows = 60
    columns = {
        names[0]: [HOSTILE[i % 6] for i in range(rows)],
        names[1]: [20 + i % 9 for i in range(rows)],
        names[2]: [HOSTILE[i * i % 5] for i in range(rows)],
    }
    write_csv(tmp_path / "hostile.csv", columns)
    page = tab(start("hostile.csv"))
    choose_roles(page, **{names[0]: "quasi-identifier", names[1]: "quasi-identifier", names[2]: "sensitive"})
    page.get_by_text("a\\u202eb\u2407c").first.wait_for()
    for screen in ("Hierarchies", "Promises", "Compare"):
        go(page, screen)
        page.locator("#content h1").wait_for()
    go(page, "Promises")
    page.get_by_label("Method").select_option("mondrian")
    anonymize(page)
    for view in VIEWS:
        page.get_by_role("button", name=view, exact=True).click()
        page.wait_for_timeout(150)
    assert page.evaluate("window.hit") is None
    page.get_by_role("button", name="Overview", exact=True).click()
    page.get_by_role("button", name="Save: Policy").click()
    page.get_by_text("Saved: hostile-policy.yaml").wait_for()
    page.get_by_role("button", name="Save: Release").click()
    page.get_by_text("Saved: hostile-release").wait_for()
    line = shlex.split(page.locator("footer code").inner_text())
    line[-1] = "other"
    subprocess.run([os.environ["COVEY_BIN"], *line[1:], "--quiet"], cwd=tmp_path, check=True)
    assert rows_of(covey.open(tmp_path / "other")) == rows_of(covey.open(tmp_path / "hostile-release"))


def test_what_cannot_be_opened_is_said(tmp_path: Path, start: Callable[..., Server], tab: Callable[..., Any]) -> None:
    (tmp_path / "wrong.csv").write_bytes(b'a,b\n1,2\n3\n"')
    with open(tmp_path / "huge.csv", "wb") as file:
        file.write(b"a,b\n1,2\n")
        file.truncate(1 << 42)
    (tmp_path / "wrong.yaml").write_text("version: 1\ninput: {path: none.csv}\n")
    page = tab(start("wrong.csv"))
    page.get_by_text("This did not work").wait_for()

    def open_path(name: str) -> None:
        go(page, "Open")
        page.get_by_label("Path, or address of a database").fill(name)
        page.get_by_label("Path, or address of a database").press("Enter")

    for name, said in (("wrong.yaml", "none.csv"), ("huge.csv", "more than half of the memory"), ("nothing.csv", "No such file")):
        open_path(name)
        page.locator(".notice.bad").get_by_text(said).first.wait_for()


def test_a_release_that_was_sent_is_judged_at_once(tmp_path: Path, start: Callable[..., Server], tab: Callable[..., Any]) -> None:
    many_people(tmp_path / "people.csv")
    made = covey.anonymize(
        str(tmp_path / "people.csv"), quasi=["age", "zip"], sensitive="disease", identifier="name", privacy=[covey.KAnonymity(4), covey.DistinctLDiversity(2)], method="mondrian"
    )
    made.save(tmp_path / "sent")
    made.save(tmp_path / "forged")
    table = tmp_path / "forged" / "table.csv"
    table.write_text(table.read_text().replace("flu", "cold", 1))
    page = tab(start("sent"))
    page.get_by_text("The release holds", exact=True).wait_for()
    page.get_by_role("button", name="Questions", exact=True).click()
    page.locator(".interval .band").first.wait_for()
    go(page, "Open")
    page.get_by_role("button", name="forged").click()
    page.get_by_text("The release does not hold").wait_for()
    assert "SHA-256" in page.locator(".notice.bad").first.inner_text()


def test_a_hierarchy_made_by_hand_is_in_what_is_saved(tmp_path: Path, start: Callable[..., Server], tab: Callable[..., Any]) -> None:
    many_people(tmp_path / "people.csv")
    page = tab(start("people.csv"))
    choose_roles(page, **ROLES)
    go(page, "Hierarchies")
    page.get_by_role("button", name="disease", exact=True).click()
    page.get_by_role("button", name="groups by hand").click()
    page.locator(".node", has_text="flu").click()
    page.get_by_role("textbox", name="Move to a new group").fill("infection")
    page.get_by_role("button", name="Move to a new group").click()
    page.locator(".node", has_text="infection").wait_for()
    page.locator(".node", has_text="cold").drag_to(page.locator(".node", has_text="infection"))
    wait_for(lambda: "cold" in page.locator("li", has=page.locator("> .node", has_text="infection")).last.inner_text())
    page.locator(".node", has_text="group 1").click()
    page.get_by_role("textbox", name="Rename").fill("other")
    page.get_by_role("button", name="Rename").click()
    page.locator(".node", has_text="other").wait_for()
    page.get_by_role("button", name="Undo").click()
    page.locator(".node", has_text="group 1").wait_for()
    page.get_by_role("button", name="Save as a file").click()
    page.get_by_text("Saved: disease.csv").wait_for()
    lines = (tmp_path / "disease.csv").read_text().splitlines()
    assert {"flu;infection;*", "cold;infection;*", "ache;group 1;*"} <= set(lines)
    assert "disease=disease.csv" in page.locator("footer code").inner_text()


def test_of_people_with_several_rows_it_is_said_what_is_proven(tmp_path: Path, start: Callable[..., Server], tab: Callable[..., Any]) -> None:
    n = 120
    columns = {
        "stay": [i // 3 for i in range(n)],
        "age": [20 + i // 3 % 10 for i in range(n)],
        "disease": [("flu", "cold", "ache", "gout")[i * i % 7 % 4] for i in range(n)],
    }
    write_csv(tmp_path / "stays.csv", columns)
    page = tab(start("stays.csv"))
    choose_roles(page, stay="identifier", age="quasi-identifier", disease="sensitive")
    choose_roles(page, stay="entity")
    go(page, "Promises")
    page.get_by_label("Method").select_option("mondrian")
    anonymize(page)
    page.get_by_text("Over its 40 persons, households or firms").or_(page.get_by_text("over rows and over its 40 persons")).first.wait_for()
    page.get_by_role("button", name="Save: Release").click()
    page.get_by_text("Saved: stays-release").wait_for()

    received = tab(start("stays-release"), locale="de")
    received.get_by_text("Über ihre 40 Personen, Haushalte oder Firmen gilt sie, wie es der Herausgeber angibt").wait_for()
    assert received.get_by_text("Jede Zusage wurde aus den Dateien der Freigabe neu bewiesen.").count() == 0
