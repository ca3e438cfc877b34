"""Folders of releases: those that live in memory, and copies."""

from __future__ import annotations

import atexit
import contextlib
import json
import os
import re
import weakref
from collections.abc import Iterator
from typing import Any

from ._errors import InputError, SystemError_

_SHARED_MEMORY = "/dev/shm"
_SPARE_BYTES = 64 << 20


def path_of(path: Any) -> str:
    """The path as a text. InputError for what is none."""
    try:
        text = os.fspath(path)
    except TypeError:
        text = None
    if not isinstance(text, str):
        raise InputError(f"a path is a text or a pathlib.Path, not {type(path).__name__}")
    if not text:
        raise InputError("a path is empty")
    return text


def places(size: int | None) -> list[str]:
    """Folders where a release may live for a while: in memory if there is room for some of that size, then on disk."""
    import tempfile

    found = [tempfile.gettempdir()]
    try:
        facts = os.statvfs(_SHARED_MEMORY)
        room = facts.f_bavail * facts.f_frsize
        if os.access(_SHARED_MEMORY, os.W_OK) and room > 2 * (size or 0) + _SPARE_BYTES:
            found.insert(0, _SHARED_MEMORY)
    except OSError:
        pass
    return found


@contextlib.contextmanager
def uninterrupted() -> Iterator[None]:
    """Ctrl-C is heard at the end of what must not be left half done."""
    import signal
    import threading

    usual = signal.getsignal(signal.SIGINT)
    if usual is None or threading.current_thread() is not threading.main_thread():  # which alone hears it
        yield
        return
    heard: list[int] = []
    signal.signal(signal.SIGINT, lambda number, frame: heard.append(number))
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, usual)
        if heard:
            signal.raise_signal(signal.SIGINT)


def make(place: str, alike: str | None = None) -> str:
    """A new folder that only its owner can read, and that is locked as long as this program or a child of it runs.

    What killed programs left goes first: in that place, or in those that a pattern finds.
    """
    import glob
    import tempfile

    _sweep(glob.escape(place) if alike is None else alike)
    while True:
        try:
            folder = tempfile.mkdtemp(prefix=_PREFIX, dir=place)
        except OSError as error:
            raise SystemError_(f"{place}: {error.strerror}", file=place) from error
        try:
            number = _locked(folder)
        except BlockingIOError:  # another program takes the folder, which has no lock yet, for one that was left
            continue
        if os.path.isdir(folder):  # or it was taken for one that was left before it could be locked
            _locks[folder] = number
            return folder
        if number >= 0:
            os.close(number)


# What has such a name is removed where it is left over, so it must be none that a user would give.
_PREFIX = ".covey-scratch-"
_OWN_NAME = re.compile(re.escape(_PREFIX) + "[a-z0-9_]{8}")  # as tempfile.mkdtemp makes them
_locks: dict[str, int] = {}


def _remove_left(process: int) -> None:
    """What Ctrl-C came between and its removal goes with the program."""
    for folder in list(_locks):
        _remove_own(folder, process)


atexit.register(_remove_left, os.getpid())


def _locked(folder: str) -> int:
    """A number of an open file that holds the folder's lock; -1: it cannot be had. BlockingIOError: another has it."""
    import fcntl

    try:
        number = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC)
    except OSError:
        return -1
    try:
        fcntl.flock(number, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        os.close(number)
        raise
    except OSError:
        os.close(number)
        return -1
    return number


def _sweep(places: str) -> None:
    """Removes what programs left that were killed: folders of this user that nobody holds any more."""
    import glob

    for path in glob.glob(os.path.join(places, f"{_PREFIX}*")):
        if not _OWN_NAME.fullmatch(os.path.basename(path)):
            continue
        try:
            number = _locked(path) if os.lstat(path).st_uid == os.getuid() else -1
        except OSError:
            continue
        if number >= 0:
            remove(path)
            os.close(number)


def remove(folder: str) -> None:
    import shutil

    with uninterrupted():
        shutil.rmtree(folder, ignore_errors=True)
        number = _locks.pop(folder, -1)
        if number >= 0:
            os.close(number)


def _remove_own(folder: str, process: int) -> None:
    if os.getpid() == process:  # a child that was forked has the same object, and not the folder
        remove(folder)


def remove_later(owner: object, folder: str) -> weakref.finalize[[str, int], Any]:
    """Removes the folder that holds the release when its object goes, at the latest when the program ends."""
    return weakref.finalize(owner, _remove_own, os.path.dirname(folder), os.getpid())


def _files(release: str) -> list[str]:
    """The files of a release: those that its manifest lists, and the manifest."""
    with open(os.path.join(release, "manifest.json"), encoding="utf-8") as file:
        manifest = json.load(file)
    return [*(plain_name(entry["name"]) for entry in manifest["files"]), "manifest.json"]


def contents(release: str) -> dict[str, bytes]:
    """All files of a release, by name."""
    found = {}
    for name in _files(release):
        with open(os.path.join(release, name), "rb") as file:
            found[name] = file.read()
    return found


def filled(files: dict[str, bytes]) -> str:
    """A release with these files in a new folder, in memory where there is room; to be removed with the folder around it."""
    place = make(places(sum(map(len, files.values())))[0])
    release = os.path.join(place, "release")
    try:
        for name, content in files.items():
            path = os.path.join(release, plain_name(name))
            os.makedirs(os.path.dirname(path), mode=0o700, exist_ok=True)
            with open(path, "xb") as file:
                file.write(content)
    except BaseException as error:
        remove(place)
        if isinstance(error, OSError):
            raise SystemError_(f"{place}: {error.strerror}", file=place) from error
        raise
    return release


def plain_name(name: object) -> str:
    """A name that a manifest may list; ValueError for what is not inside the release's own folder."""
    parts = str(name).split("/")
    if any(part in ("", ".", "..") for part in parts) or "\0" in str(name):
        raise ValueError(f'"files" lists {json.dumps(str(name))}, which is no file of a release')
    return str(name)


def _is_nothing_but_a_release(folder: str) -> bool:
    try:
        listed = {os.path.normpath(name) for name in _files(folder)}
    except (OSError, ValueError, KeyError, TypeError):
        return False
    there = {
        os.path.normpath(os.path.relpath(os.path.join(place, name), folder))
        for place, _, names in os.walk(folder)
        for name in names
    }
    return there <= listed


def copy(release: str, name: str, force: bool) -> None:
    """Copies a release beside the target of that name and renames it at the end."""
    import shutil
    import tempfile

    target = os.path.abspath(name)
    spare_release(target)
    if os.path.lexists(target):
        if not force:
            raise InputError(f"{name}: exists already; force=True replaces a release", file=name)
        if os.path.islink(target) or not _is_nothing_but_a_release(target):
            raise InputError(f"{name}: is no release, or holds more than one, and is not replaced", file=name)
    if not os.path.isdir(os.path.dirname(target)):
        folder = os.path.dirname(name)
        raise InputError(f"{folder}: there is no such folder; make it first", file=folder)
    beside = ""
    try:
        with uninterrupted():
            beside = tempfile.mkdtemp(prefix=f".{os.path.basename(target)}.", dir=os.path.dirname(target))
        new = os.path.join(beside, "new")
        try:
            names = _files(release)
        except (ValueError, KeyError, TypeError) as error:
            raise InputError(f"{release}: is no release: manifest.json is not one ({error})", file=release) from error
        for file in names:
            os.makedirs(os.path.dirname(os.path.join(new, file)), mode=0o700, exist_ok=True)
            shutil.copyfile(os.path.join(release, file), os.path.join(new, file))
            shutil.copymode(os.path.join(release, file), os.path.join(new, file))
        shutil.copymode(release, new)
        with uninterrupted():
            _replace(target, new, os.path.join(beside, "old"))
    except OSError as error:
        raise SystemError_(f"{name}: {error.strerror}", file=name) from error
    finally:
        if beside:
            remove(beside)


def _replace(target: str, new: str, old: str) -> None:
    """The new folder gets the name; what has it is moved aside, and back if that fails."""
    if os.path.lexists(target):
        os.rename(target, old)
    try:
        os.rename(new, target)
    except OSError:
        if os.path.lexists(old):
            os.rename(old, target)
        raise


def is_manifest(text: bytes) -> bool:
    """Is it that of a release?  Other programs have files of that name."""
    try:
        manifest = json.loads(text)
        return isinstance(manifest["format_version"], int) and isinstance(manifest["form"], str) and isinstance(manifest["files"], list)
    except (ValueError, TypeError, KeyError, RecursionError):
        return False


def in_release(target: str) -> InputError:
    """What is wrong with a path in the folder of a release, which one more file would break."""
    return InputError(f"{target}: is in the folder of a release, whose manifest names all files in it; choose another place", file=target)


def spare_release(target: str) -> None:
    """InputError for a path in the folder of a release."""
    folder = os.path.dirname(os.path.realpath(target))
    while folder != os.path.dirname(folder):
        path = os.path.join(folder, "manifest.json")
        text = b""
        try:
            if os.path.isfile(path):  # a pipe would be waited for
                with open(path, "rb") as file:
                    text = file.read()
        except OSError:
            pass
        if is_manifest(text):
            raise in_release(target)
        folder = os.path.dirname(folder)
