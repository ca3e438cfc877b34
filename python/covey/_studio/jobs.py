"""Long work beside the page: a thread with progress that can be stopped."""

from __future__ import annotations

import threading
import warnings
from collections.abc import Callable
from typing import Any

from .._errors import Cancelled, Error


class Job:
    """Work that runs in a thread of its own.

    Attributes:
        name: what is being done, a key of the catalogue.
        phase, done, to_do: how far it is; to_do 0: nobody knows.
        state: running, stopping, done, cancelled, failed.
        result, error: what it gave, or what went wrong.
    """

    def __init__(self, name: str, work: Callable[[Job], Any], changed: Callable[[], None]) -> None:
        self.name = name
        self.phase, self.done, self.to_do = "", 0, 0
        self.state = "running"
        self.result: Any = None
        self.error: Exception | None = None
        self._work = work
        self._changed = changed
        self._thread = threading.Thread(target=self._run, name=name, daemon=True)

    def start(self) -> Job:
        self._thread.start()
        return self

    @property
    def is_running(self) -> bool:
        return self.state in ("running", "stopping")

    def listen(self, phase: str, done: int, to_do: int) -> bool:
        """For `progress=` of the package: tells how far the work is and stops it if that was asked for."""
        self.phase, self.done, self.to_do = phase, done, to_do
        self._changed()
        return self.state == "running"

    def check(self) -> None:
        """For work of the studio's own: Cancelled if that was asked for."""
        if self.state != "running":
            raise Cancelled("stopped")

    def cancel(self) -> None:
        if self.state == "running":
            self.state = "stopping"
            self._changed()

    def wait(self, seconds: float) -> None:
        self._thread.join(seconds)

    def _run(self) -> None:
        try:
            self.result = self._work(self)
            self.state = "done"
        except Cancelled:
            self.state = "cancelled"
        except (Error, OSError, MemoryError) as error:
            self.error, self.state = error, "failed"
        except Exception as error:  # a fault of the studio: said, not swallowed
            self.error, self.state = error, "failed"
            warnings.warn(f"covey studio: {type(error).__name__}: {error}", stacklevel=1)
        self._changed()
