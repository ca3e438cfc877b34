"""The child process that parses one file; see child.py."""

from __future__ import annotations

import json
import os
import resource
import sys
from typing import Any

from .._errors import Error
from . import sheets, statistics
from .child import SAID_WHY

_PARENT_DIED = 1  # PR_SET_PDEATHSIG


def _die_with_parent() -> None:
    import ctypes
    import signal

    parent = os.getppid()
    try:
        ctypes.CDLL(None).prctl(_PARENT_DIED, int(signal.SIGKILL))
    except (OSError, AttributeError):
        return
    if os.getppid() != parent:
        sys.exit(1)


class _WithoutPandas:
    """pyarrow and pyreadstat look for pandas, which takes longer to import than most files to read, and do without it."""

    @staticmethod
    def find_spec(name: str, path: object = None, target: object = None) -> None:
        if name == "pandas":
            raise ModuleNotFoundError(name=name)


def _own_memory() -> int:
    try:
        with open("/proc/self/statm", encoding="ascii") as file:
            return int(file.read().split()[0]) * resource.getpagesize()
    except (OSError, ValueError):
        return 0


def _limit(memory: int, seconds: float) -> None:
    """The memory on top of what the libraries took; no dump of what the file holds."""
    most = _own_memory() + memory
    resource.setrlimit(resource.RLIMIT_AS, (most, most))
    resource.setrlimit(resource.RLIMIT_CPU, (int(seconds) + 1, int(seconds) + 2))
    resource.setrlimit(resource.RLIMIT_FSIZE, (memory, memory))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))


def _read(wish: dict[str, Any]) -> None:
    import pyarrow

    parser = sheets if wish["kind"] in sheets.WORDS else statistics
    parser.load(wish["kind"])
    pyarrow.array([0])  # with its first array it reserves a GiB of addresses, which are none of the file's
    _limit(wish["memory"], wish["seconds"])
    table = parser.read(wish["path"], wish["kind"], **wish["options"])
    with os.fdopen(os.dup(wish["out"]), "wb") as out, pyarrow.ipc.new_file(out, table.schema) as writer:
        writer.write_table(table)


def _say(out: int, message: str, row: object = None, column: object = None) -> int:
    os.ftruncate(out, 0)
    said = {"message": message[:2000], "row": row, "column": column}
    os.pwrite(out, json.dumps(said).encode("ascii", "replace"), 0)
    return SAID_WHY


def main() -> int:
    """Does what the one argument wishes; the exit code."""
    _die_with_parent()
    sys.meta_path.insert(0, _WithoutPandas)
    wish = json.loads(sys.argv[1])
    try:
        _read(wish)
    except Error as error:
        return _say(wish["out"], str(error), error.row, error.column)
    except MemoryError:
        most = f"reading takes more than {wish['memory'] >> 20} MiB"
        return _say(wish["out"], f"{most}; if you trust the file, covey.read(path, memory_limit=...) allows more")
    except TypeError as error:
        return _say(wish["out"], f"wrong option or content: {error}")
    except Exception as error:  # whatever a parser raises means that it cannot read the file
        said = str(error).strip() or type(error).__name__
        return _say(wish["out"], f"cannot be read ({said}); have its program open it and save it again")
    return 0
