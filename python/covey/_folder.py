"""Folders of releases: those that live in memory, and copies."""

from __future__ import annotations

import json
import os
import weakref
from typing import Any

from ._errors import InputError, SystemError_

_SHARED_MEMORY = "/dev/shm"
_SPARE_BYTES = 64 << 20


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


def make(place: str) -> str:
    """A new folder that only its owner can read."""
    import tempfile

    try:
        return tempfile.mkdtemp(prefix="covey-", dir=place)
    except OSError as error:
        raise SystemError_(f"{place}: {error.strerror}", file=place) from error


def remove(folder: str) -> None:
    import shutil

    shutil.rmtree(folder, ignore_errors=True)


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
    return [*(str(entry["name"]) for entry in manifest["files"]), "manifest.json"]


def _is_nothing_but_a_release(folder: str) -> bool:
    try:
        listed = {os.path.normpath(name) for name in _files(folder)}
    except (OSError, ValueError, KeyError, TypeError):
        return os.path.isdir(folder) and not os.listdir(folder)
    there = {
        os.path.normpath(os.path.relpath(os.path.join(place, name), folder))
        for place, _, names in os.walk(folder)
        for name in names
    }
    return there <= listed


def copy(release: str, target: str, force: bool) -> None:
    """Copies a release beside the target and renames it at the end."""
    import shutil
    import tempfile

    target = os.path.abspath(target)
    if os.path.lexists(target):
        if not force:
            raise InputError(f"{target}: exists already; force=True replaces a release", file=target)
        if os.path.islink(target) or not _is_nothing_but_a_release(target):
            raise InputError(f"{target}: holds more than a release, and is not replaced", file=target)
    try:
        beside = tempfile.mkdtemp(prefix=f".{os.path.basename(target)}.", dir=os.path.dirname(target))
    except OSError as error:
        raise SystemError_(f"{target}: {error.strerror}", file=target) from error
    try:
        new, old = os.path.join(beside, "new"), os.path.join(beside, "old")
        for name in _files(release):
            os.makedirs(os.path.dirname(os.path.join(new, name)), mode=0o700, exist_ok=True)
            shutil.copyfile(os.path.join(release, name), os.path.join(new, name))
            shutil.copymode(os.path.join(release, name), os.path.join(new, name))
        shutil.copymode(release, new)
        if os.path.lexists(target):
            os.rename(target, old)
        try:
            os.rename(new, target)
        except OSError:
            if os.path.lexists(old):
                os.rename(old, target)
            raise
    except OSError as error:
        raise SystemError_(f"{target}: {error.strerror}", file=target) from error
    finally:
        remove(beside)
