"""What the tests of the studio share: a server, a browser, and what the browser asked of the network."""

from __future__ import annotations

import re
import select
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

SECONDS = 20_000  # milliseconds; the machine may be busy


def browser_path() -> str:
    for name in ("chromium", "chromium-browser", "google-chrome"):
        found = shutil.which(name)
        if found:
            return found
    pytest.skip("skipped: there is no Chromium; tools/setup python installs it where it can be had")


class Server:
    """covey studio, started as people start it."""

    def __init__(self, folder: Path, *words: str) -> None:
        command = [sys.executable, "-m", "covey", "studio", *words, "--no-browser"]
        self._log = tempfile.TemporaryFile("w+")  # a pipe that nobody reads would stop the server
        self.process = subprocess.Popen(command, cwd=folder, stdout=subprocess.PIPE, stderr=self._log, text=True)
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
        lines = [line for line in said.splitlines() if not line.startswith("Could not cancel")]  # the framework's, on a busy machine
        assert not lines, said[-3000:]


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


