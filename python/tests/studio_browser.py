"""What the tests of the studio share: a server, a browser, what the browser asked of the network, and a table."""

from __future__ import annotations

import os
import re
import select
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest

import covey
from conftest import write_csv

SECONDS = 20_000  # milliseconds; the machine may be busy


def browser_path() -> str:
    for name in ("chromium", "chromium-browser", "google-chrome"):
        found = shutil.which(name)
        if found:
            return found
    pytest.skip("skipped: there is no Chromium; tools/setup python installs it where it can be had")


class Server:
    """covey studio, started as people start it."""

    says = ""  # on standard error, when it has ended

    def __init__(self, folder: Path, *words: str, browser: bool = False, **environment: str) -> None:
        command = [sys.executable, "-m", "covey", "studio", *words, *([] if browser else ["--no-browser"])]
        self._log = tempfile.TemporaryFile("w+")  # a pipe that nobody reads would stop the server
        self.process = subprocess.Popen(command, cwd=folder, stdout=subprocess.PIPE, stderr=self._log, text=True, env={**os.environ, **environment})
        assert self.process.stdout is not None
        ready, _, _ = select.select([self.process.stdout], [], [], 60)
        self.address = self.process.stdout.readline().strip() if ready else ""
        found = re.fullmatch(r"http://127\.0\.0\.1:(\d+)/\?token=([\w-]{20,})", self.address)
        assert found, f"{self.address!r}: {self.said()}"
        self.port, self.token = int(found[1]), found[2]

    def stop(self, number: int = signal.SIGINT) -> int:
        self.process.send_signal(number)
        try:
            return self.process.wait(30)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
            raise

    def said(self) -> str:
        """What it wrote to standard error: nothing, as long as all is well."""
        self._log.seek(0)
        return self._log.read()

    def end(self) -> None:
        if self.process.poll() is None:
            self.stop()
        if self.process.stdout is not None:
            self.process.stdout.close()
        said = self.said()
        self._log.close()
        assert said == self.says, said[-3000:]


def chromium() -> Iterator[Any]:
    """A browser for all tests of a file."""
    api = pytest.importorskip("playwright.sync_api", reason="skipped: playwright is not installed")
    path = browser_path()
    with api.sync_playwright() as playwright:
        try:
            browser = playwright.chromium.launch(executable_path=path, args=["--no-sandbox", "--disable-dev-shm-usage"])
        except api.Error as error:
            pytest.skip(f"skipped: {path} does not run here: {str(error).splitlines()[0]}")
        yield browser
        browser.close()


def wait_for(what: Any, seconds: float = 20) -> None:
    """Waits until the function gives something true."""
    end = time.monotonic() + seconds
    while not what():
        assert time.monotonic() < end, "it took too long"
        time.sleep(0.05)


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


def rows_of(release: covey.Release) -> list[Any]:
    """Published rows without the numbers of classes, which are drawn."""
    return sorted(tuple(map(str, list(row.values())[1:])) for row in release.table.to_pylist())
