"""Runs commands of covey in this process and gives their JSON."""

from __future__ import annotations

import contextlib
import json
import operator
import os
import sys
import warnings
from collections.abc import Callable, Iterable, Mapping
from typing import Any, Union

from . import _core
from ._arguments import in_arguments
from ._data import Source
from ._errors import CoveyWarning, InputError, raise_error
from ._places import Places

Progress = Union[Callable[[str, int, int], object], bool, None]

_OF_COMMANDS = {"help", "json", "quiet", "version"}  # what a program would get another answer by


def words_of(command: str, **options: Any) -> list[str]:
    """A command with its options; None and False: not given; a list: given once for each."""
    for name in _OF_COMMANDS & options.keys():
        raise InputError(f"{name} is an option of the command alone: here answers are objects", parameter=name)
    words = [command]
    for key, value in options.items():
        name = "--" + key.rstrip("_").replace("_", "-")
        if key in ("seed", "threads") and value is not None:
            _check_number(key, value)
        if key == "force" and value is not None:
            value = truth(key, value)
        if value is True:
            words.append(name)
        elif value is not None and value is not False:
            for item in value if isinstance(value, (list, tuple)) else [value]:
                words.append(f"{name}={os.fspath(item) if isinstance(item, os.PathLike) else item}")
    return words


def _check_number(key: str, value: Any) -> None:
    least, most = (0, (1 << 64) - 1) if key == "seed" else (1, 4096)
    try:
        number = int(value) if isinstance(value, str) else operator.index(value)
    except (TypeError, ValueError):
        number = -1
    if isinstance(value, bool) or not least <= number <= most:
        raise InputError(f"{key} must be a whole number from {least} to {most}, not {value!r}", parameter=key)


def truth(key: str, value: Any) -> bool:
    """True or False, also as numpy has them; not what is only taken for it, such as "no"."""
    if isinstance(value, str) or value not in (True, False):
        raise InputError(f"{key} must be True or False, not {value!r}", parameter=key)
    return bool(value)


def encode(text: str) -> bytes:
    """A word of a command line; paths may hold any bytes."""
    if "\0" in text:
        raise InputError(f"{text!r}: a null character stands in no name and no query")
    try:
        return os.fsencode(text)
    except UnicodeEncodeError:
        raise InputError(f"{text!r} is no text of Unicode") from None


class _Bar:
    """A tqdm bar as a progress function."""

    def __init__(self, tqdm: Any) -> None:
        self._tqdm = tqdm
        self._bar: Any = None
        self._phase = ""

    def __call__(self, phase: str, done: int, to_do: int) -> None:
        if self._bar is None or phase != self._phase:
            self.close()
            self._phase = phase
            self._bar = self._tqdm(total=to_do or None, desc=phase, leave=False, unit_scale=True)
        self._bar.total = to_do or None
        self._bar.update(done - self._bar.n)

    def close(self) -> None:
        if self._bar is not None:
            self._bar.close()
            self._bar = None


def _listener(progress: Progress) -> Callable[[str, int, int], object] | None:
    """True: a tqdm bar, where tqdm is installed."""
    if progress is True:
        try:
            from tqdm.auto import tqdm
        except ImportError:
            return None
        return _Bar(tqdm)
    if progress and not callable(progress):
        raise InputError(f"progress is a function that is called with (phase, done, to_do), or True, not {progress!r}", parameter="progress")
    return progress or None


def run(
    words: Iterable[str],
    operands: Iterable[str] = (),
    *,
    policy: bytes | None = None,
    places: Places | None = None,
    sources: Iterable[Source] = (),
    progress: Progress = None,
    kept: _core.Kept | None = None,
    shown: Mapping[str, str] | None = None,
) -> tuple[bool, bytes]:
    """Runs a command; whether its answer is yes, and what it printed. The words are options, with the command first.
    places: of a policy that is no file. kept: of a query, its release if it was opened before; else it is left there. shown: what else has another name in messages than here.

    Raises what went wrong; says warnings.
    """
    listener = _listener(progress)
    line = tuple(encode(word) for word in (*words, "--", *operands))
    alive = list(sources)  # data in memory live as long as the command
    named = dict(shown or {})
    for source in alive:
        named.update(source.shown)
    try:
        yes, text, said = _core.run(line, policy, listener, kept)
    except _core.CoreError as error:
        raise_error(error, named, places)
    finally:
        if isinstance(listener, _Bar):
            listener.close()
    for message in map(in_arguments, said):
        for name, said_as in named.items():
            message = message.replace(name, said_as)
        warn(places.in_words(message) if places else message)
    return yes, text


def run_json(*args: Any, **kwargs: Any) -> tuple[bool, Any]:
    """The same for a command that prints an object."""
    words, *rest = args
    yes, text = run([*words, "--json"], *rest, **kwargs)
    return yes, json.loads(text)


def warn(message: str) -> None:
    """Something that whoever publishes should read, said of the line that calls the package."""
    depth = 2
    frame: Any = sys._getframe(1)
    while frame.f_back is not None and frame.f_code.co_filename.startswith((os.path.dirname(__file__), contextlib.__file__)):
        frame = frame.f_back
        depth += 1
    warnings.warn(message, CoveyWarning, stacklevel=depth)
