"""Parses a file in a child process: foreign files crash parsers, hang them, or fill the memory.

The child gets a file without a name, in memory where the system can, and writes an Arrow file into it, or what is
wrong. So nothing is on a disk, and nothing stays, however either process ends.
"""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Mapping
from typing import Any

from .._errors import Cancelled, InputError, SystemError_

_START = "import sys; sys.path[:] = {path!r}; from covey._files.parse import main; sys.exit(main())"
_POLL_SECONDS = 0.05
SAID_WHY = 4  # exit code of a child that wrote JSON: {"message", "row", "column"}

_GIB = 1 << 30


def _memory_for(size: int) -> int:
    """Bytes for a file of that size: values become objects, of up to a hundred times their bytes in a packed file.
    Never more than the machine can give."""
    wanted = _GIB + 100 * size
    try:
        with open("/proc/meminfo", encoding="ascii") as file:
            facts = dict(line.split(":", 1) for line in file)
        free = int(facts["MemAvailable"].split()[0]) << 10
    except (OSError, KeyError, ValueError):
        return wanted
    return min(wanted, max(free * 3 // 4, _GIB // 4))


def _seconds_for(size: int) -> float:
    return 120 + size / 500_000


def _nameless_file() -> int:
    try:
        return os.memfd_create("covey", 0)
    except (AttributeError, OSError):
        import tempfile

        with tempfile.TemporaryFile() as file:
            return os.dup(file.fileno())


def parse(path: str, kind: str, options: Mapping[str, Any], goes_on: Callable[[], bool] | None = None) -> Any:
    """The pyarrow.Table of a file.

    options: memory_limit in bytes and time_limit in seconds, by default as its size wants; the others are the parser's.
    goes_on: asked all the time; False ends the work.

    Raises InputError for a file that cannot be read, also if the child crashed or met a limit.
    """
    size = os.path.getsize(path)
    asked = dict(options)
    memory = int(asked.pop("memory_limit", None) or _memory_for(size))
    seconds = float(asked.pop("time_limit", None) or _seconds_for(size))
    out = _nameless_file()
    try:
        wish = {
            "path": os.path.abspath(path),
            "kind": kind,
            "out": out,
            "memory": memory,
            "seconds": seconds,
            "options": asked,
        }
        code = _run(json.dumps(wish), out, seconds, goes_on, path)
        if code == 0:
            return _table(out, path)
        raise _complaint(code, out, path, memory)
    finally:
        os.close(out)


def _run(wish: str, out: int, seconds: float, goes_on: Callable[[], bool] | None, path: str) -> int:
    paths = [os.path.abspath(place) for place in sys.path]  # an empty one is the current folder, here as there
    words = [sys.executable, "-I", "-c", _START.format(path=paths), wish]
    quiet = subprocess.DEVNULL
    try:
        child = subprocess.Popen(words, stdin=quiet, stdout=quiet, stderr=quiet, pass_fds=[out])
    except OSError as error:
        raise SystemError_(f"{path}: no process for reading it can be started: {error.strerror}", file=path) from error
    end = time.monotonic() + seconds
    try:
        while True:
            try:
                return child.wait(_POLL_SECONDS)
            except subprocess.TimeoutExpired:
                pass
            if goes_on is not None and not goes_on():
                raise Cancelled(f"{path}: reading was cancelled", file=path)
            if time.monotonic() > end:
                raise InputError(_limit(path, f"{seconds:.0f} seconds", "time_limit"), file=path)
    finally:
        if child.poll() is None:
            child.kill()
            child.wait()


def _limit(path: str, what: str, option: str) -> str:
    return (
        f"{path}: reading takes more than {what}, which is more than a file of its size should; if you trust it, "
        f"covey.read(path, {option}=...) allows more, else have its program save it again"
    )


def _complaint(code: int, out: int, path: str, memory: int) -> Exception:
    """What a child's end means."""
    if code == SAID_WHY:
        os.lseek(out, 0, os.SEEK_SET)
        try:
            said = json.loads(os.read(out, 1 << 16))
            return InputError(f"{path}: {said['message']}", file=path, row=said["row"], column=said["column"])
        except (ValueError, KeyError, TypeError):
            code = 1
    if code == -signal.SIGXCPU:
        return InputError(_limit(path, "the time that it may", "time_limit"), file=path)
    if code == -signal.SIGKILL:
        return InputError(
            f"{path}: reading was killed, most likely for want of memory (limit {memory >> 20} MiB)", file=path
        )
    how = f"signal {-code}" if code < 0 else f"exit code {code}"
    return InputError(
        f"{path}: the parser crashed ({how}): the file is damaged, or made to do harm; have its program open it and "
        "save it again, or as CSV",
        file=path,
    )


def _table(out: int, path: str) -> Any:
    import pyarrow

    try:
        with pyarrow.memory_map(f"/proc/self/fd/{out}") as file:
            table = pyarrow.ipc.open_file(file).read_all()
        table.validate(full=True)  # whoever crashed the child may have written it
    except (pyarrow.ArrowException, OSError) as error:
        raise InputError(f"{path}: what was read of it is no table ({error})", file=path) from error
    return table
