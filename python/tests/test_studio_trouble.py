"""What covey studio says when something cannot be done, in the words of the page, and the way out that it offers."""

from __future__ import annotations

import errno
import os
import shlex
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import covey
from conftest import write_csv
from studio_browser import ROLES, Server, anonymize, browser, choose_roles, go, many_people, start, tab, wait_for

pytest.importorskip("nicegui", reason="skipped: nicegui is not installed (covey[studio])")
pytest.importorskip("pyarrow", reason="skipped: pyarrow is not installed (covey[studio])")


def refusal(page: Any) -> Any:
    return page.locator(".notice.bad")


def ask_for(page: Any, k: str) -> None:
    go(page, "Promises")
    page.get_by_label("k", exact=True).fill(k)
    page.get_by_label("k", exact=True).press("Enter")
    page.get_by_label("Method").select_option("mondrian")


# ---- promises that cannot be kept ----


def test_a_refusal_says_what_could_be_kept_and_a_click_takes_it(tmp_path: Path, start: Callable[..., Server], tab: Callable[..., Any]) -> None:
    many_people(tmp_path / "people.csv")
    page = tab(start("people.csv"))
    choose_roles(page, **ROLES)
    ask_for(page, "999")
    go(page, "Release")
    page.get_by_role("button", name="Anonymize").click()
    refusal(page).wait_for()
    said = refusal(page).inner_text()
    assert "No release can keep k-anonymity: there are only 240 rows: k can be 240 at most." in said
    assert "What could be kept: k-anonymity with k = 240." in said and "{" not in said
    page.get_by_role("button", name="Take that").click()
    refusal(page).wait_for(state="detached")
    assert "k-anonymity:k=240" in page.locator("footer code").inner_text()
    page.get_by_role("button", name="Anonymize").click()
    page.get_by_text("The release holds", exact=True).wait_for()


def test_only_what_stands_among_the_wishes_is_taken(tmp_path: Path) -> None:
    from covey._studio.state import Studio

    studio = Studio()
    studio.promises, studio.method = [{"model": "k-anonymity", "k": 9}, {"model": "t-closeness", "t": "0", "attribute": "a"}], {"name": "slicing"}
    assert studio.can_take({"privacy": [{"model": "k-anonymity", "k": 5}]})
    assert not studio.can_take({"privacy": [{"model": "t-closeness", "t": "1/5", "attribute": "b"}]})
    assert not studio.can_take({"privacy": [{"model": "distinct-l-diversity", "l": 5}]}), "a preset's promise"
    studio.take_nearest({"privacy": [{"model": "t-closeness", "t": "1/5", "attribute": "a"}], "method": {"column-k": 3}})
    assert studio.promises[1]["t"] == "1/5" and studio.method == {"name": "slicing", "column-k": 3}
    studio.method = {"name": "auto"}
    assert not studio.can_take({"method": {"column-k": 3}})


# ---- missing cells ----


def test_what_becomes_of_missing_cells_is_chosen_where_it_is_asked(tmp_path: Path, start: Callable[..., Server], tab: Callable[..., Any]) -> None:
    n = 240
    columns = {
        "age": [20 + i * 7 % 50 for i in range(n)],
        "zip": ["" if i % 60 == 7 else f"0{1 + i % 4}" for i in range(n)],
        "disease": ["" if i % 40 == 3 else ("flu", "cold", "ache")[i % 3] for i in range(n)],
    }
    write_csv(tmp_path / "gaps.csv", columns)
    page = tab(start("gaps.csv"))
    choose_roles(page, age="quasi-identifier", zip="quasi-identifier", disease="insensitive")
    line = page.locator("footer code")
    page.get_by_label("Rows without a quasi-identifier, zip (4)").select_option("drop")
    wait_for(lambda: "--missing-quasi drop" in line.inner_text())
    page.get_by_label("Rows without a quasi-identifier, zip (4)").select_option("error")
    choose_roles(page, disease="sensitive")
    page.get_by_label("Rows without a sensitive value, disease (6)").select_option("error")
    ask_for(page, "4")
    go(page, "Release")
    page.get_by_role("button", name="Anonymize").click()
    page.get_by_text('gaps.csv, line 9: The quasi-identifier "zip" has no value there: choose what becomes of such rows.').wait_for()
    page.get_by_role("button", name="be a value of its own").click()
    refusal(page).wait_for(state="detached")
    page.get_by_role("button", name="Anonymize").click()
    page.get_by_text('The sensitive column "disease" has no value there').wait_for()
    page.get_by_role("button", name="leave such rows out").click()
    refusal(page).wait_for(state="detached")
    anonymize(page)
    words = shlex.split(line.inner_text())
    assert words[words.index("--missing-sensitive") + 1] == "drop" and words[words.index("--missing-quasi") + 1] == "value"
    subprocess.run([os.environ["COVEY_BIN"], *words[1:], "--quiet"], cwd=tmp_path, check=True)
    assert covey.open(tmp_path / "gaps-release").manifest["rows"] == n - 6


def test_a_choice_that_is_made_while_another_is_on_its_way_is_heard(tmp_path: Path, start: Callable[..., Server], tab: Callable[..., Any]) -> None:
    columns = {"age": list(range(20, 60)), "zip": ["", "01", "02", "03"] * 10, "disease": ["flu", "cold"] * 20}
    write_csv(tmp_path / "gaps.csv", columns)
    page = tab(start("gaps.csv"))
    choose_roles(page, zip="quasi-identifier", age="quasi-identifier", disease="insensitive")
    page.get_by_label("Rows without a quasi-identifier, zip (10)").wait_for()
    wait_for(lambda: "--insensitive disease" in page.locator("footer code").inner_text())
    page.evaluate(
        """() => {
            const choose = (key, value) => {
                const menu = document.querySelector(`select[data-key="${key}"]`);
                menu.value = value;
                for (const what of ["input", "change"]) menu.dispatchEvent(new Event(what, { bubbles: true }));
            };
            choose("role-disease", "sensitive");
            choose("missing-quasi", "drop");
        }"""
    )
    wait_for(lambda: "--missing-quasi drop" in page.locator("footer code").inner_text())


# ---- saving ----


def save(page: Any, what: str, name: str) -> None:
    page.get_by_label(what, exact=True).fill(name)
    page.get_by_role("button", name=f"Save: {what}").click()


def test_what_stands_in_the_way_of_saving_is_said_with_the_way_out(tmp_path: Path, start: Callable[..., Server], tab: Callable[..., Any]) -> None:
    before = Path(many_people(tmp_path / "people.csv")).read_bytes()
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / "notes.txt").write_text("mine")
    page = tab(start("people.csv"))
    choose_roles(page, **ROLES)
    ask_for(page, "4")
    anonymize(page)
    save(page, "Release (a folder)", "")
    page.get_by_text("Give it a name.").wait_for()
    save(page, "Release (a folder)", "nowhere/out")
    page.get_by_text("There is no folder").wait_for()
    save(page, "Release (a folder)", "/sys/covey-out")  # nobody may write there, not even root
    refusal(page).get_by_text("“/sys”").wait_for()
    assert "choose another place" in refusal(page).inner_text() and "rrno" not in refusal(page).inner_text()
    save(page, "Release (a folder)", "mine")
    page.get_by_text("“mine” is there already: replace it, or choose another name.").wait_for()
    page.get_by_role("button", name="Replace it").click()
    page.get_by_text("“mine” is not something that covey made, or holds more than that.").wait_for()
    save(page, "Release (a folder)", "out")
    page.get_by_text("Saved: out").wait_for()
    assert refusal(page).count() == 0
    for what, name in (("Policy", "people.csv"), ("Report", "people.csv")):
        save(page, what, name)
        page.get_by_text("“people.csv” is there already").wait_for()
        page.get_by_role("button", name="Replace it").click()
        page.get_by_text("“people.csv” is not something that covey made").wait_for()
        save(page, what, f"{what}.html" if what == "Report" else "p.yaml")
        page.get_by_text(f"Saved: {what}.html" if what == "Report" else "Saved: p.yaml").wait_for()
    for what, name in (("Release (a folder)", "out"), ("Policy", "p.yaml"), ("Report", "Report.html")):
        save(page, what, name)
        page.get_by_role("button", name="Replace it").click()
        refusal(page).wait_for(state="detached")
    assert (tmp_path / "people.csv").read_bytes() == before
    assert sorted(os.listdir(tmp_path)) == ["Report.html", "mine", "out", "p.yaml", "people.csv"] and os.listdir(tmp_path / "mine") == ["notes.txt"]
    assert covey.open(tmp_path / "out").verify().holds


@pytest.mark.parametrize(("number", "said"), [(errno.EROFS, "can be read only"), (errno.ENOSPC, "no room left"), (errno.EACCES, "may not write into")])
def test_what_was_there_stays_when_saving_fails(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, number: int, said: str) -> None:
    from covey._studio.state import Studio

    studio = Studio()
    studio.save_policy(str(tmp_path / "p.yaml"))
    before = (tmp_path / "p.yaml").read_bytes()

    def fail(*names: Any) -> None:
        raise OSError(number, os.strerror(number))

    monkeypatch.setattr(os, "replace", fail)
    with pytest.raises(covey.InputError, match=said):
        studio.save_policy(str(tmp_path / "p.yaml"), True)
    assert (tmp_path / "p.yaml").read_bytes() == before and os.listdir(tmp_path) == ["p.yaml"]


def test_a_hierarchy_replaces_only_what_the_studio_wrote(tmp_path: Path) -> None:
    from test_studio_tables import opened

    studio = opened(many_people(tmp_path / "people.csv"))
    before = (tmp_path / "people.csv").read_bytes()
    studio.change_hierarchy("disease", [[value, "ill", "*"] for value in ("flu", "cold", "ache", "gout", "none")])
    for force, said in ((False, "is there already"), (True, "not something that covey made")):
        with pytest.raises(covey.InputError, match=said):
            studio.save_hierarchy("disease", str(tmp_path / "people.csv"), force)
    assert (tmp_path / "people.csv").read_bytes() == before
    studio.save_hierarchy("disease", str(tmp_path / "own.csv"))
    studio.change_hierarchy("disease", [[line[0], "sick", "*"] for line in studio.lines_of("disease")])
    studio.save_hierarchy("disease", str(tmp_path / "own.csv"), True)
    assert "flu;sick;*" in (tmp_path / "own.csv").read_text()
    studio.end()
