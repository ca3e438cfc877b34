"""covey studio in a real browser: from a file to a saved, verified release by clicks, and what may not happen on the way."""

from __future__ import annotations

import contextlib
import http.client
import http.server
import json
import os
import re
import shlex
import signal
import socketserver
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

import covey
from conftest import write_csv
from studio_browser import ROLES, SECONDS, Server, anonymize, browser, choose_roles, go, many_people, rows_of, start, tab, wait_for

ROOT = Path(__file__).parents[2]

pytest.importorskip("nicegui", reason="skipped: nicegui is not installed (covey[studio])")
pytest.importorskip("pyarrow", reason="skipped: pyarrow is not installed (covey[studio])")


# ---- from a file to a release ----


def test_clicks_alone_lead_from_a_file_to_a_saved_release(
    tmp_path: Path, start: Callable[..., Server], tab: Callable[..., Any], command: Callable[..., Any]
) -> None:
    many_people(tmp_path / "people.csv")
    page = tab(start("people.csv"))
    choose_roles(page, **ROLES)
    go(page, "Promises")
    page.get_by_label("k", exact=True).fill("4")
    page.get_by_label("k", exact=True).press("Enter")
    page.get_by_label("Method").select_option("mondrian")
    anonymize(page)
    page.get_by_role("button", name="Save: Release").click()
    page.get_by_text("Saved: people-release").wait_for()
    page.get_by_role("button", name="Save: Policy").click()
    page.get_by_text("Saved: people-policy.yaml").wait_for()
    page.get_by_role("button", name="Save: Report").click()
    page.get_by_text("Saved: people-report.html").wait_for()

    release = covey.open(tmp_path / "people-release")
    verdict = release.verify(str(tmp_path / "people.csv"))
    assert verdict.holds and verdict.faithful
    assert {p["model"]: p["threshold"] for p in release.promises}["k-anonymity"] == 4
    assert "This page is complete in itself" in (tmp_path / "people-report.html").read_text()
    assert not {"people.csv", "people-release", "people-policy.yaml", "people-report.html"} ^ set(os.listdir(tmp_path))

    # The line that the page shows, and the policy that it saved, make the same release.
    line = shlex.split(page.locator("footer code").inner_text())
    assert line[:3] == ["covey", "anonymize", "people.csv"]
    line[-1] = "other"
    subprocess.run([os.environ["COVEY_BIN"], *line[1:], "--quiet"], cwd=tmp_path, check=True)
    policy = covey.Policy.read(tmp_path / "people-policy.yaml")
    assert rows_of(covey.open(tmp_path / "other")) == rows_of(release) == rows_of(covey.anonymize(None, policy))


# ---- who may talk to it ----


def ask(server: Server, path: str, method: str = "GET", **headers: str) -> int:
    connection = http.client.HTTPConnection("127.0.0.1", server.port, timeout=20)
    connection.putrequest(method, path, skip_host=True)
    for name, value in {"Host": f"127.0.0.1:{server.port}", **{k.replace("_", "-"): v for k, v in headers.items()}}.items():
        connection.putheader(name, value)
    connection.endheaders()
    status = connection.getresponse().status
    connection.close()
    return status


def test_strangers_are_refused(start: Callable[..., Server]) -> None:
    server = start()
    token = server.token
    assert ask(server, f"/?token={token}") == 200
    assert ask(server, "/") == 403
    assert ask(server, f"/?token={token[:-1]}x") == 403
    assert ask(server, "/_nicegui_ws/socket.io/?EIO=4&transport=polling") == 403
    assert ask(server, "*", "OPTIONS") == 403  # a target that is no path
    assert ask(server, f"/{token}/_nicegui_ws/socket.io/?EIO=4&transport=polling") == 200
    own = f"http://127.0.0.1:{server.port}"
    for path in (f"/?token={token}", f"/{token}/_nicegui_ws/socket.io/?EIO=4&transport=polling"):
        assert ask(server, path, Host="evil.example") == 403
        assert ask(server, path, Host=f"localhost:{server.port}") == 403
        assert ask(server, path, Origin="http://evil.example") == 403
        assert ask(server, path, Origin="null") == 403
        assert ask(server, path, "POST", Origin="http://evil.example") == 403
        assert ask(server, path, Origin=own) == 200
    upgrade = {"Connection": "Upgrade", "Upgrade": "websocket", "Sec_WebSocket_Version": "13", "Sec_WebSocket_Key": "AAAAAAAAAAAAAAAAAAAAAA=="}
    socket = f"/{token}/_nicegui_ws/socket.io/?EIO=4&transport=websocket"
    assert ask(server, socket, Origin=own, **upgrade) == 101
    assert ask(server, socket, Origin="http://evil.example", **upgrade) == 403
    assert ask(server, socket.replace(token, "x" * len(token)), Origin=own, **upgrade) == 403


def test_what_is_not_found_is_logged_without_the_token(start: Callable[..., Server]) -> None:
    server = start()
    assert ask(server, f"/{server.token}/nothing") == 404
    assert server.stop() == 0
    server.says = server.said()
    assert f"http://127.0.0.1:{server.port}/.../nothing not found" in server.says and server.token not in server.says


def test_the_command_says_what_is_wrong(tmp_path: Path, start: Callable[..., Server]) -> None:
    def run(*words: str) -> tuple[int, str]:
        done = subprocess.run([sys.executable, "-m", "covey", "studio", *words], cwd=tmp_path, capture_output=True, text=True, timeout=60)
        assert not done.stdout
        return done.returncode, done.stderr

    assert run("nothing.csv") == (2, "covey: nothing.csv: No such file or directory\n")
    assert run("--port", "x")[0] == 2
    assert run("--port")[0] == 2
    assert run("--hosts")[0] == 2
    assert run("a", "b")[0] == 2
    server = start()
    code, said = run("--port", str(server.port))
    assert code == 3 and "in use" in said
    assert server.stop(signal.SIGINT) == 0
    assert not os.listdir(tmp_path)


def test_a_machine_without_a_browser_is_told_the_address(tmp_path: Path) -> None:
    server = Server(tmp_path, browser=True, PATH="/nowhere", BROWSER="", DISPLAY="", WAYLAND_DISPLAY="")
    server.says = "covey: no browser was found here: open the address in one\n"
    wait_for(lambda: server.said() == server.says)
    assert ask(server, f"/?token={server.token}") == 200
    assert server.stop() == 0
    server.end()


def test_a_page_of_another_origin_cannot_reach_it(start: Callable[..., Server], browser: Any) -> None:
    server = start()
    with socketserver.TCPServer(("127.0.0.1", 0), QuietHandler) as other:
        threading.Thread(target=other.serve_forever, daemon=True).start()
        context = browser.new_context()
        page = context.new_page()
        page.goto(f"http://127.0.0.1:{other.server_address[1]}/")
        statuses: list[int] = []
        page.on("response", lambda response: statuses.append(response.status))
        page.evaluate("url => fetch(url, {method: 'POST', mode: 'no-cors', body: 'x'}).catch(() => null)", server.address)
        opened = page.evaluate(
            """url => new Promise(done => { const s = new WebSocket(url); s.onopen = () => done(true); s.onerror = () => done(false); })""",
            f"ws://127.0.0.1:{server.port}/{server.token}/_nicegui_ws/socket.io/?EIO=4&transport=websocket",
        )
        framed = page.evaluate(
            """url => new Promise(done => { const f = document.createElement('iframe'); f.src = url; f.onload = () => {
                let text = ''; try { text = f.contentDocument.body.innerText; } catch (e) { text = 'other'; } done(text); };
                document.body.append(f); })""",
            server.address,
        )
        context.close()
        other.shutdown()
    assert opened is False
    assert "covey" not in framed
    assert 403 in statuses


class QuietHandler(http.server.BaseHTTPRequestHandler):
    def do_GET(self) -> None:
        self.send_response(200)
        self.send_header("Content-Type", "text/html")
        self.end_headers()
        self.wfile.write(b"<title>another site</title>")

    def log_message(self, *words: Any) -> None:
        pass


# ---- how it looks ----


@pytest.fixture(scope="module")
def finished(tmp_path_factory: pytest.TempPathFactory, browser: Any) -> Iterator[Server]:
    """A studio with a release and a comparison."""
    folder = tmp_path_factory.mktemp("finished")
    many_people(folder / "people.csv")
    (folder / "policy.yaml").write_text(
        "version: 1\ninput: {path: people.csv}\nattributes:\n  - {name: name, role: identifier}\n"
        "  - {name: age, role: quasi-identifier, hierarchy: {interval: {from: 0, to: 100, widths: [10, 20]}}}\n"
        "  - {name: zip, role: quasi-identifier}\n  - {name: disease, role: sensitive}\n"
        "privacy: [{model: k-anonymity, k: 4}, {model: distinct-l-diversity, l: 2, attribute: disease}]\nmethod: {name: mondrian}\n"
    )
    server = Server(folder, "policy.yaml")
    context = browser.new_context(viewport={"width": 1280, "height": 900}, locale="en")
    page = context.new_page()
    page.set_default_timeout(SECONDS)
    page.goto(server.address)
    page.get_by_role("heading", name="What is in the table?").wait_for()
    anonymize(page)
    go(page, "Compare")
    page.get_by_label("peel", exact=True).uncheck()
    page.locator("#content").get_by_role("button", name="Compare", exact=True).click()
    page.get_by_role("button", name="Choose: mondrian k=4").wait_for()
    page.get_by_role("button", name="Choose: mondrian k=16").wait_for()
    context.close()
    yield server
    server.end()


SCREENS = ("open", "table", "hierarchies", "promises", "compare", "release")
VIEWS = {"Overview": "Save", "Rows": "1 to 25", "Loss": "Sizes of classes", "Distributions": "at least", "Risks": "re-identification", "Questions": "Between"}


def faults_of(page: Any) -> list[str]:
    """What axe-core finds that is serious, and text that does not fit into the window."""
    axe = pytest.importorskip("axe_playwright_python.sync_playwright", reason="skipped: axe-playwright-python is not installed")
    page.wait_for_timeout(150)
    found = axe.Axe().run(page).response["violations"]
    faults = [
        f"{v['impact']} {v['id']}: {v['nodes'][0]['target']} {v['nodes'][0]['failureSummary'][:200]}"
        for v in found
        if v["impact"] in ("serious", "critical")
    ]
    return faults + ([f"{page.url}: wider than its window"] if is_too_wide(page) else [])


def is_too_wide(page: Any) -> bool:
    return bool(page.evaluate("document.documentElement.scrollWidth > document.documentElement.clientWidth"))


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_every_screen_is_accessible(finished: Server, tab: Callable[..., Any], scheme: str) -> None:
    page = tab(finished, "open", color_scheme=scheme)
    faults = []
    for screen in SCREENS if scheme == "light" else ("table", "release"):  # both have the same elements
        go(page, screen.capitalize())
        page.locator("#content h1").wait_for()
        faults += [f"{screen}: {fault}" for fault in faults_of(page)]
    for view, text in list(VIEWS.items())[1 if scheme == "light" else 4 :]:
        page.get_by_role("button", name=view, exact=True).click()
        page.locator("#content").get_by_text(text).first.wait_for()
        faults += [f"{view}: {fault}" for fault in faults_of(page)]
    assert not faults, "\n".join(faults)


@pytest.mark.parametrize("width", [390, 800, 1600])
def test_every_screen_fits_its_window(finished: Server, tab: Callable[..., Any], width: int) -> None:
    page = tab(finished, "open", viewport={"width": width, "height": 900}, locale="de-DE")
    for screen in ("Öffnen", "Tabelle", "Hierarchien", "Zusagen", "Vergleich", "Freigabe"):
        go(page, screen)
        page.locator("#content h1").wait_for()
        assert not is_too_wide(page), screen
    for view in ("Überblick", "Zeilen", "Verlust", "Verteilungen", "Risiken", "Fragen"):
        page.get_by_role("button", name=view, exact=True).click()
        page.wait_for_timeout(100)
        assert not is_too_wide(page), view
    assert page.evaluate("document.documentElement.lang") == "de"


def test_the_language_is_the_browsers_until_it_is_chosen(finished: Server, tab: Callable[..., Any]) -> None:
    page = tab(finished, "promises", locale="de-DE")
    page.get_by_role("heading", name="Was darf nie geschehen?").wait_for()
    page.get_by_label("Sprache").select_option("en")
    page.get_by_role("heading", name="What must never happen?").wait_for()
    page.get_by_label("Language").select_option("de")
    page.get_by_role("heading", name="Was darf nie geschehen?").wait_for()
    page.get_by_label("Darstellung").select_option("dark")
    page.wait_for_function("document.documentElement.dataset.theme === 'dark'")
    page.get_by_label("Darstellung").select_option("auto")
    page.wait_for_function("document.documentElement.dataset.theme !== 'dark'")  # it loads again: no choice on the old page
    page.get_by_label("Sprache").select_option("en")
    page.get_by_role("heading", name="What must never happen?").wait_for()


def test_views_show_what_the_package_says(finished: Server, tab: Callable[..., Any]) -> None:
    page = tab(finished, "release")
    page.get_by_role("button", name="Rows", exact=True).click()
    page.locator("td.changed").first.wait_for()
    sets = [cell.split("\n") for cell in page.locator("td.changed").all_inner_texts() if cell.startswith("{")]
    assert sets and all(own in published for published, own in sets)
    page.get_by_role("button", name="Questions", exact=True).click()
    page.get_by_label("Question (SQL)").fill("SELECT COUNT(*), COUNT(*) WHERE age < 30")
    page.get_by_label("Question (SQL)").press("Enter")
    page.get_by_role("rowheader").nth(1).wait_for()  # both counts: the example's one count was there before
    page.get_by_label("Question (SQL)").fill("SELECT nonsense")
    page.get_by_role("button", name="Ask", exact=True).click()
    page.get_by_text("This did not work").wait_for()


# ---- long work, other tabs, a lost server ----


def test_work_is_stopped_in_the_middle(tmp_path: Path, start: Callable[..., Server], tab: Callable[..., Any]) -> None:
    n = 20_000
    columns = {f"c{i}": [(row * (7 + i) + row * row % (11 + i)) % (40 + 9 * i) for row in range(n)] for i in range(9)}
    write_csv(tmp_path / "wide.csv", {**columns, "s": [row % 7 for row in range(n)]})
    page = tab(start("wide.csv"))
    choose_roles(page, **{name: "quasi-identifier" for name in columns}, s="sensitive")
    assert page.locator("[data-key=rows] tbody tr").count() == 50
    page.get_by_role("button", name="Last").click()
    page.get_by_text("19,951 to 20,000 of 20,000").wait_for()
    go(page, "Promises")
    page.get_by_label("Method").select_option("peel")
    go(page, "Release")
    page.get_by_role("button", name="Anonymize").click()
    page.locator("progress").wait_for()
    page.get_by_role("button", name="Stop").hover()
    seen = page.locator(".job").inner_html()
    page.mouse.down()  # a hand is slow: the work goes on while the button is down
    wait_for(lambda: page.locator(".job").inner_html() != seen)
    page.mouse.up()
    page.get_by_text("Stopped. Nothing was changed.").wait_for()
    assert page.get_by_text("There is no release yet.").is_visible()
    assert os.listdir(tmp_path) == ["wide.csv"]


def test_tabs_show_the_same_and_a_reload_keeps_it(tmp_path: Path, start: Callable[..., Server], tab: Callable[..., Any]) -> None:
    many_people(tmp_path / "people.csv")
    server = start("people.csv")
    first, second = tab(server), tab(server, "table")
    choose_roles(first, **ROLES)
    wait_for(lambda: second.get_by_label("Role of disease", exact=True).input_value() == "sensitive")
    go(first, "Promises")
    first.get_by_label("Method").select_option("mondrian")
    first.get_by_label("k", exact=True).fill("4")  # and has not left the field
    choose_roles(second, zip="insensitive")
    wait_for(lambda: "--insensitive zip" in first.locator("footer code").inner_text())
    assert first.get_by_label("k", exact=True).input_value() == "4"
    choose_roles(second, zip="quasi-identifier")
    anonymize(first)
    go(second, "Release")
    second.get_by_text("The release holds", exact=True).wait_for()
    first.reload()
    first.get_by_text("The release holds", exact=True).wait_for()
    choose_roles_text = first.locator("footer code").inner_text()
    assert "--sensitive disease" in choose_roles_text and "--method mondrian" in choose_roles_text
    first.get_by_role("button", name="Save: Release").click()
    first.get_by_text("Saved: people-release").wait_for()
    server.stop(signal.SIGKILL)
    first.get_by_text("covey studio has stopped").wait_for()
    assert "unchanged" in first.locator("#popup").inner_text()
    assert covey.open(tmp_path / "people-release").verify().holds


def test_households_are_asked_for_where_persons_are_named(tmp_path: Path, start: Callable[..., Server], tab: Callable[..., Any]) -> None:
    many_people(tmp_path / "people.csv")
    page = tab(start("people.csv"))
    choose_roles(page, **ROLES)
    asked = page.get_by_label("What those in name are part of, such as households")
    assert asked.count() == 0
    choose_roles(page, name="entity")
    asked.select_option("zip")
    wait_for(lambda: '"within": "zip"' in page.locator("footer code").inner_text())
    assert page.get_by_label("Role of zip", exact=True).input_value() == "identifier"
    choose_roles(page, zip="quasi-identifier")
    wait_for(lambda: "within" not in page.locator("footer code").inner_text())
    assert asked.input_value() == ""


def test_the_browsers_way_back_goes_through_the_screens(tmp_path: Path, start: Callable[..., Server], tab: Callable[..., Any]) -> None:
    many_people(tmp_path / "people.csv")
    page = tab(start("people.csv"))
    choose_roles(page, **ROLES)
    here = page.locator("nav [aria-current=page]")
    for screen in ("Hierarchies", "Promises", "Promises", "Compare"):
        go(page, screen)
    page.get_by_label("elastic", exact=True).uncheck()
    for turn, screen in [(page.go_back, "Promises"), (page.go_back, "Hierarchies"), (page.go_forward, "Promises"), (page.go_forward, "Compare")]:
        turn()
        wait_for(lambda screen=screen: here.inner_text() == screen)
        assert page.locator("h1").count() == 1
    assert not page.get_by_label("elastic", exact=True).is_checked()  # the tab was not loaded anew
    for _ in range(3):
        page.go_back()
    page.get_by_label("Role of age", exact=True).wait_for()
    assert here.inner_text() == "Table"


def test_a_studio_that_is_ended_leaves_no_release(tmp_path: Path, start: Callable[..., Server], tab: Callable[..., Any]) -> None:
    many_people(tmp_path / "people.csv", 241)  # as many as no other test has: others make releases meanwhile

    def made() -> list[Path]:
        found = []
        for path in Path("/dev/shm").glob(".covey-scratch-*/*/manifest.json"):
            with contextlib.suppress(OSError, ValueError):  # of another test, and gone or not yet whole
                if json.loads(path.read_text())["rows"] == 241:
                    found.append(path)
        return found

    server = start("people.csv")
    page = tab(server)
    choose_roles(page, **ROLES)
    anonymize(page)
    wait_for(lambda: made() or not Path("/dev/shm").exists())
    assert server.stop(signal.SIGTERM) == 128 + signal.SIGTERM
    assert not made()


def reach(page: Any, key: str) -> None:
    """Goes by the tabulator to what bears the key."""
    for _ in range(150):
        if page.evaluate("document.activeElement && document.activeElement.dataset && document.activeElement.dataset.key") == key:
            return
        page.keyboard.press("Tab")
    raise AssertionError(f"{key} cannot be reached")


def test_the_keyboard_is_enough(tmp_path: Path, start: Callable[..., Server], tab: Callable[..., Any]) -> None:
    many_people(tmp_path / "people.csv")
    page = tab(start("people.csv"))
    page.get_by_role("heading", name="What is in the table?").wait_for()

    for column, role in ROLES.items():
        reach(page, f"role-{column}")
        page.keyboard.type(role[:4])
        wait_for(lambda c=column, r=role: page.get_by_label(f"Role of {c}", exact=True).input_value() == r)  # type: ignore[misc]
    reach(page, "go-promises")
    page.keyboard.press("Enter")
    page.get_by_role("heading", name="What must never happen?").wait_for()
    reach(page, "add-t-closeness")
    page.keyboard.press("Enter")
    page.get_by_text("of the weight has to move").wait_for()
    reach(page, "method")
    page.keyboard.type("mond")
    reach(page, "go-release")
    page.keyboard.press("Enter")
    page.get_by_role("button", name="Anonymize").wait_for()
    reach(page, "anonymize")
    page.keyboard.press("Enter")
    page.get_by_text("The release holds", exact=True).wait_for()
    reach(page, "save-release")
    page.keyboard.press("Space")
    page.get_by_text("Saved: people-release").wait_for()


def test_hierarchies_are_changed_by_keyboard(tmp_path: Path, start: Callable[..., Server], tab: Callable[..., Any]) -> None:
    many_people(tmp_path / "people.csv")
    page = tab(start("people.csv"))
    choose_roles(page, **ROLES)

    def press(key: str, keys: str = "Enter") -> None:
        reach(page, key)
        page.keyboard.press(keys)

    def type_into(key: str, text: str) -> None:
        reach(page, key)
        page.keyboard.press("Control+A")
        page.keyboard.type(text)
        press(f"{key}-do")

    press("go-hierarchies")
    press("hierarchy-of-disease")
    page.get_by_role("button", name="groups by hand").wait_for()
    press("propose-1")
    press("node-0:flu")
    page.get_by_role("heading", name="flu", exact=True).wait_for()
    type_into("tree-new", "infection")
    page.locator(".node", has_text="infection").wait_for()
    press("node-0:cold")
    page.get_by_role("heading", name="cold", exact=True).wait_for()
    reach(page, "tree-move")
    page.keyboard.type("infection")
    press("tree-move-do")
    wait_for(lambda: "cold" in page.locator("li", has=page.locator("> .node", has_text="infection")).last.inner_text())
    press("node-1:group 1")
    page.get_by_role("heading", name="group 1", exact=True).wait_for()
    type_into("tree-rename", "other")
    page.locator(".node", has_text="other").wait_for()
    press("tree-merge-do")
    page.locator(".node", has_text="other").wait_for(state="detached")
    press("undo")
    page.locator(".node", has_text="other").wait_for()


def test_leaves_that_are_many_are_shown_when_they_are_asked_for(tmp_path: Path, start: Callable[..., Server], tab: Callable[..., Any]) -> None:
    write_csv(tmp_path / "many.csv", {"code": [f"{i:03}" for i in range(90)], "s": [i % 3 for i in range(90)]})
    page = tab(start("many.csv"))
    choose_roles(page, code="quasi-identifier", s="sensitive")
    go(page, "Hierarchies")
    page.get_by_role("button", name="code", exact=True).click()
    page.get_by_role("button", name="groups by hand").click()
    page.locator(".node", has_text="group 1").wait_for()
    page.locator(".turn", has_text="▸").click()
    page.get_by_role("button", name="+ 50").click()
    wait_for(lambda: page.locator(".node.leaf").count() == 90)
    assert page.get_by_role("button", name="+ ").count() == 0


def test_equal_thresholds_are_told_apart_and_run_once(tmp_path: Path, start: Callable[..., Server], tab: Callable[..., Any]) -> None:
    many_people(tmp_path / "people.csv")
    page = tab(start("people.csv"))
    choose_roles(page, **{**ROLES, "zip": "sensitive"})
    go(page, "Promises")
    page.get_by_role("button", name="Add: distinct-l-diversity").click()
    page.get_by_label("Column").last.select_option("disease")
    go(page, "Compare")
    page.get_by_label("Threshold to vary").wait_for()
    names = page.get_by_label("Threshold to vary").locator("option").all_inner_texts()
    assert len(names) == len(set(names)) == 3 and "k-anonymity: k" in names
    page.get_by_label("Its values").fill("5, 5;5")
    for method in ("elastic", "peel"):
        page.get_by_label(method, exact=True).uncheck()
    page.locator("#content").get_by_role("button", name="Compare", exact=True).click()
    page.locator("tbody tr").first.wait_for()
    assert page.locator("tbody tr").count() == 1
