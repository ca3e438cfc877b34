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
from urllib.parse import urlsplit

import pytest

import covey
from conftest import PEOPLE, write_csv
from studio_browser import SECONDS, Server, chromium, wait_for

ROOT = Path(__file__).parents[2]

pytest.importorskip("nicegui", reason="skipped: nicegui is not installed (covey[studio])")
pytest.importorskip("pyarrow", reason="skipped: pyarrow is not installed (covey[studio])")


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    yield from chromium()


@pytest.fixture
def start(tmp_path: Path) -> Iterator[Callable[..., Server]]:
    servers: list[Server] = []

    def start_one(*words: str) -> Server:
        servers.append(Server(tmp_path, *words))
        return servers[-1]

    yield start_one
    for server in servers:
        server.end()


@pytest.fixture
def tab(browser: Any) -> Iterator[Callable[..., Any]]:
    """Opens a tab; afterwards nothing was asked of another host, and no script has failed."""
    contexts: list[Any] = []
    asked: list[str] = []
    failed: list[str] = []

    def open_tab(server: Server, screen: str = "", **options: Any) -> Any:
        contexts.append(browser.new_context(locale=options.pop("locale", "en"), **{"viewport": {"width": 1280, "height": 900}, **options}))
        page = contexts[-1].new_page()
        page.set_default_timeout(SECONDS)
        page.on("request", lambda request: asked.append(request.url))
        page.on("websocket", lambda socket: asked.append(socket.url))
        page.on("pageerror", lambda error: failed.append(str(error)))
        page.goto(server.address + (f"&screen={screen}" if screen else ""))
        return page

    yield open_tab
    for context in contexts:
        context.close()
    hosts = {urlsplit(url).hostname for url in asked if urlsplit(url).scheme not in ("data", "blob")}
    assert hosts <= {"127.0.0.1"}, hosts
    assert not failed


def many_people(path: Path, n: int = 240) -> str:
    columns = {
        "name": [f"person {i}" for i in range(n)],
        "age": [20 + i * 7 % 50 for i in range(n)],
        "zip": [f"0{1 + i % 4}{i % 10}{i * 3 % 10}0" for i in range(n)],
        "disease": [("flu", "cold", "ache", "gout", "none")[i * i % 7 % 5] for i in range(n)],
    }
    return write_csv(path, columns)


ROLES = {"name": "identifier", "age": "quasi-identifier", "zip": "quasi-identifier", "disease": "sensitive"}


def choose_roles(page: Any, **roles: str) -> None:
    for column, role in roles.items():
        page.get_by_label(f"Role of {column}", exact=True).select_option(role)


def go(page: Any, screen: str) -> None:
    page.get_by_role("navigation").get_by_role("button", name=screen, exact=True).click()


def anonymize(page: Any) -> None:
    go(page, "Release")
    page.get_by_role("button", name="Anonymize").click()
    page.get_by_text("The release holds", exact=True).wait_for()


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


def rows_of(release: covey.Release) -> list[Any]:
    """Published rows without the numbers of classes, which are drawn."""
    return sorted(tuple(map(str, list(row.values())[1:])) for row in release.table.to_pylist())


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


@pytest.mark.parametrize("width", [800, 1600])
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


# ---- what may come in ----

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
    page.get_by_role("button", name="Stop").click()
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


def test_a_studio_that_is_ended_leaves_no_release(tmp_path: Path, start: Callable[..., Server], tab: Callable[..., Any]) -> None:
    many_people(tmp_path / "people.csv", 241)  # as many as no other test has: others make releases meanwhile

    def made() -> list[Path]:
        found = []
        for path in Path("/dev/shm").glob("covey-*/*/manifest.json"):
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


def test_the_keyboard_is_enough(tmp_path: Path, start: Callable[..., Server], tab: Callable[..., Any]) -> None:
    many_people(tmp_path / "people.csv")
    page = tab(start("people.csv"))
    page.get_by_role("heading", name="What is in the table?").wait_for()

    def reach(key: str) -> None:
        for _ in range(150):
            if page.evaluate("document.activeElement && document.activeElement.dataset && document.activeElement.dataset.key") == key:
                return
            page.keyboard.press("Tab")
        raise AssertionError(f"{key} cannot be reached")

    for column, role in ROLES.items():
        reach(f"role-{column}")
        page.keyboard.type(role[:4])
        wait_for(lambda c=column, r=role: page.get_by_label(f"Role of {c}", exact=True).input_value() == r)  # type: ignore[misc]
    reach("go-promises")
    page.keyboard.press("Enter")
    page.get_by_role("heading", name="What must never happen?").wait_for()
    reach("add-t-closeness")
    page.keyboard.press("Enter")
    page.get_by_text("of the weight has to move").wait_for()
    reach("method")
    page.keyboard.type("mond")
    reach("go-release")
    page.keyboard.press("Enter")
    page.get_by_role("button", name="Anonymize").wait_for()
    reach("anonymize")
    page.keyboard.press("Enter")
    page.get_by_text("The release holds", exact=True).wait_for()
    reach("save-release")
    page.keyboard.press("Space")
    page.get_by_text("Saved: people-release").wait_for()


# ---- the catalogue ----


def test_every_text_is_there_in_both_languages() -> None:
    from covey._studio import texts

    for key, pair in texts.TEXTS.items():
        assert len(pair) == len(texts.LANGUAGES) and all(pair), key
        assert len({frozenset(re.findall(r"{(\w+)}", text)) for text in pair}) == 1, key
    folder = Path(texts.__file__).parent
    used = {key for path in folder.glob("*.py") for key in re.findall(r'\bt\("([\w.-]+)"', path.read_text())}
    assert used and used <= set(texts.TEXTS)
    assert texts.Words("de").number(1234.5) == "1.234" or texts.Words("de").number(1234567) == "1.234.567"
    assert texts.language_of("fr, de-CH;q=0.8") == "de" and texts.language_of("fr") == "en"


def test_what_the_library_says_is_known_in_german() -> None:
    """Every pattern has the words of a sentence that is in the library's source; what has none is shown as it is."""
    from covey._studio import said

    source = ""
    for path in [*(ROOT / "src").rglob("*.c"), *(ROOT / "python" / "covey").rglob("*.py")]:
        if path.name != "said.py":
            source += re.sub(r'"\s*\n\s*"', "", path.read_text()).replace('\\"', '"').replace("%%", "%").replace("`%s` has no", "`hierarchy` has no")
    source += "".join(os.strerror(number) for number in range(1, 134))
    for english, german in said.PATTERNS:
        pieces = sorted(re.split(r"\{[a-z]\}|[;:,.] |^1 value|have$|cannot|No such|no such|(?<=no effect on a column that is )|(?<=methods that can keep it)", english), key=len)
        assert pieces[-1].strip(" ;:,.") in source, english
        assert set(re.findall(r"\{([a-y])\}", german)) <= set(re.findall(r"\{([a-z])\}", english)), german
    assert said.in_german('its name says "age"') == 'ihr Name sagt "age"'
    assert said.in_german("A value fills at most 38.8% of a class. No row's value is certain.").startswith("Ein Wert füllt höchstens 38,8 % einer")
    assert said.in_german("something else. Really.") == "something else. Really."


def test_figures_are_written_as_the_language_has_them() -> None:
    from covey._studio import texts

    english, german = texts.Words("en"), texts.Words("de")
    assert german.exact("156203/39165") == "3,988" and english.exact("156203/39165") == "3.988"
    assert german.exact(12345) == "12.345" and english.exact("0.25") == "0.25" and german.exact("[a, b]") == "[a, b]"
    assert [english.percent(share) for share in (0, 0.5, 0.98765, 0.01234, 0.0000205, 1)] == ["0%", "50%", "98.8%", "1.23%", "0.00205%", "100%"]
    assert english.percent(0.5, in_column=True) == "50.0%"
    assert german.percent(0.535) == "53,5\u202f%"


def test_the_line_says_what_the_policy_says() -> None:
    from covey._studio import command_line

    policy = {
        "version": 1,
        "input": {"path": "a b.csv", "null": ["", "?"]},
        "attributes": [
            {"name": "age", "role": "quasi-identifier", "hierarchy": {"mask": 2}},
            {"name": "a,b", "role": "quasi-identifier"},
            {"name": "s", "role": "sensitive"},
        ],
        "privacy": [{"model": "t-closeness", "t": "1/5", "attribute": "s"}],
        "method": {"name": "mondrian", "cut": "relaxed"},
        "suppression": {"limit": 0.01},
    }
    line = command_line.of_policy("a b.csv", policy, "out")
    assert line is not None
    words = shlex.split(line)
    assert words[:5] == ["covey", "anonymize", "a b.csv", "--null", ",?"]
    assert words[words.index("--quasi") + 1] == "age" and '{"name": "a,b", "role": "quasi-identifier"}' in words
    assert words[words.index("--model") + 1] == "t-closeness:t=1/5,attribute=s"
    assert words[words.index("--method") + 1] == "mondrian:cut=relaxed" and words[words.index("--suppression") + 1] == "0.01"
    policy["attributes"][0]["hierarchy"] = {"lines": [["1", "*"]]}  # type: ignore[index]
    assert command_line.of_policy("a b.csv", policy, "out") is None
