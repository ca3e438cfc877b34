"""The command `covey studio`."""

from __future__ import annotations

import importlib.util
import os
import signal
import socket
import sys
import types
import warnings

from .._errors import CoveyWarning, Error, InputError, SystemError_


class _Terminated(Exception):
    """SIGTERM or SIGHUP, which the server hands on after it has shut down: releases that nobody saved go with us."""

    def __init__(self, number: int) -> None:
        super().__init__(number)
        self.number = number


def _end(number: int, _frame: types.FrameType | None) -> None:
    raise _Terminated(number)


HINT = 'pip install "covey[studio]"'


def _number_of(text: str) -> int:
    if not text.isdecimal() or not 0 <= int(text[:9]) <= 65535:
        raise InputError(f'--port "{text}": expected a number from 0 (a free one) to 65535')
    return int(text)


def read_words(words: list[str]) -> tuple[str | None, int, bool]:
    """What is to be opened, the port, and whether a browser is wanted."""
    data: str | None = None
    port, browser, only_operands = 0, True, False
    rest = iter(words)
    for word in rest:
        if only_operands or not word.startswith("-") or word == "-":
            if data is not None:
                raise InputError(f'covey studio opens one table, policy or release; "{word}" is one too many')
            data = word
        elif word == "--":
            only_operands = True
        elif word == "--no-browser":
            browser = False
        elif word == "--port" or word.startswith("--port="):
            value = word.partition("=")[2] if "=" in word else next(rest, None)
            if value is None:
                raise InputError("option '--port' requires an argument")
            port = _number_of(value)
        else:
            raise InputError(f"covey studio has no option '{word}'; it has --port N and --no-browser")
    return data, port, browser


def listen(port: int) -> socket.socket:
    """A socket on 127.0.0.1; port 0: a free one."""
    own = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
    own.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        own.bind(("127.0.0.1", port))
    except OSError:
        own.close()
        raise
    own.listen(64)
    return own


def _prepare(words: list[str]) -> None:
    data, port, browser = read_words(words)
    for needed in ("nicegui", "numpy", "pyarrow"):
        if importlib.util.find_spec(needed) is None:
            raise InputError(f"covey studio needs {needed}: {HINT}")
    from .state import Studio

    if data is not None and ":" not in data.split("/")[0] and not os.path.exists(data):
        raise InputError(f"{data}: No such file or directory", file=data)
    try:
        own = listen(port)
    except OSError as error:
        raise SystemError_(f"127.0.0.1:{port}: {error.strerror}; --port 0 takes a free one") from error
    for number in (signal.SIGTERM, signal.SIGHUP):
        if signal.getsignal(number) != signal.SIG_IGN:
            signal.signal(number, _end)
    warnings.filterwarnings("ignore", category=CoveyWarning)  # the page shows those of the work that was asked for
    studio = Studio()
    if data is not None:
        studio.open(data)  # in a thread of its own, while the framework is loaded
    try:
        from . import server  # loads the framework, which takes a while

        server.serve(studio, own, browser=browser)
    except KeyboardInterrupt:
        pass
    finally:
        studio.end()


def main(words: list[str]) -> int:
    """Runs the studio until Ctrl-C; the exit code."""
    try:
        _prepare(words)
    except Error as error:
        print(f"covey: {error}", file=sys.stderr)
        return error.code
    except _Terminated as end:
        return 128 + end.number
    return 0
