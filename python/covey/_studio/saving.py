"""Saving: what stands in the way is said in the page's words, and nothing half-written takes the place of what was there."""

from __future__ import annotations

import contextlib
import errno
import os
from collections.abc import Iterator

from .._errors import Error, InputError
from .words import Refused

_WHY = {
    errno.EACCES: "save.denied",
    errno.EPERM: "save.denied",
    errno.EROFS: "save.read_only",
    errno.ENOSPC: "save.full",
    errno.EDQUOT: "save.full",
    errno.ENAMETOOLONG: "save.long",
    errno.ENOENT: "save.no_folder",
    errno.ENOTDIR: "save.no_folder",
}


@contextlib.contextmanager
def saving(path: str, *, folder: bool = False, force: bool = False) -> Iterator[None]:
    """Around the writing of a file or a folder. Refused: the name is none, something is there, or the system says no."""
    _check(path, folder, force)
    try:
        yield
    except InputError as error:
        raise Refused("save.other", path=path) from error
    except (Error, OSError) as error:
        key = _why(error)
        if key is None:
            raise
        raise Refused(key, path=path, folder=_folder_of(path)) from error


def _check(path: str, folder: bool, force: bool) -> None:
    if not path.strip():
        raise Refused("save.empty")
    if not os.path.isdir(_folder_of(path)):
        raise Refused("save.no_folder", folder=_folder_of(path))
    if os.path.isdir(path) and not folder:
        raise Refused("save.is_folder", path=path)
    if os.path.lexists(path) and not force:
        raise Refused("save.exists", path=path)


def _folder_of(path: str) -> str:
    return os.path.dirname(os.path.abspath(path))


def _why(error: BaseException) -> str | None:
    """The text in the catalogue for what the system said; of the library's own errors only the words are known."""
    cause = error if isinstance(error, OSError) else error.__cause__
    if isinstance(cause, OSError):
        return _WHY.get(cause.errno or 0)
    return next((key for number, key in _WHY.items() if str(error).endswith(os.strerror(number))), None)


@contextlib.contextmanager
def whole(path: str) -> Iterator[str]:
    """The name of a file beside the path, which takes its place at the end; if writing fails, what was there stays."""
    beside = os.path.join(_folder_of(path), f".{os.path.basename(path)}.covey-{os.getpid()}")
    try:
        yield beside
        os.replace(beside, path)
    finally:
        with contextlib.suppress(OSError):
            os.unlink(beside)
