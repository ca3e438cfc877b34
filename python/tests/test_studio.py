"""covey studio in a real browser: from a file to a saved, verified release by clicks, and what may not happen on the way."""

from __future__ import annotations

import http.client
import os
import shlex
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest

import covey
from conftest import PEOPLE, write_csv
from studio_browser import SECONDS, Server, chromium, wait_for

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
    choose_roles(page, name="identifier", age="quasi-identifier", zip="quasi-identifier", disease="sensitive")
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
