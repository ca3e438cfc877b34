"""Folders on whatever Spark writes to, through Hadoop's file systems: only the driver uses them, for small files and names."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Iterator
from copy import copy
from typing import Any

from .._errors import InputError, SystemError_
from .._folder import in_release, path_of
from ._failures import cause_of


class Place:
    """A path on the file system that it belongs to."""

    def __init__(self, spark: Any, path: str | os.PathLike[str]) -> None:
        self._jvm = spark._jvm
        self._conf = spark._jsc.hadoopConfiguration()
        name = path_of(path)
        if not name:
            raise InputError("the path is empty")
        self.path = name.rstrip("/") or name
        self._at = self._jvm.org.apache.hadoop.fs.Path(self.path)
        try:
            self._fs = self._at.getFileSystem(self._conf)
        except Exception as error:
            raise InputError(f"{name}: {cause_of(error)}", file=name) from None
        if self._fs.getScheme() == "file":
            self._fs = self._fs.getRaw()  # without the check sums that Hadoop keeps beside local files

    def _path(self, name: str = "") -> Any:
        return self._jvm.org.apache.hadoop.fs.Path(self._at, name) if name else self._at

    @property
    def parent(self) -> str:
        parent = self._at.getParent()
        return parent.toString() if parent is not None else "."

    def folder_around(self) -> Place | None:
        """The folder that it stands in, if there is one."""
        parent = self._fs.makeQualified(self._at).getParent()
        if parent is None:
            return None
        around = copy(self)
        around._at, around.path = parent, parent.toString()
        return around

    @property
    def name(self) -> str:
        name: str = self._at.getName()
        return name

    def url(self, name: str = "") -> str:
        """The path as Spark writes to it from anywhere."""
        url: str = self._path(name).makeQualified(self._fs.getUri(), self._fs.getWorkingDirectory()).toString()
        return url

    def pattern(self, name: str) -> str:
        """The path as Spark reads it, which takes paths for patterns: this one has nothing but itself."""
        return re.sub(r"([\\{}\[\]*?])", r"\\\1", self.url(name))

    def exists(self, name: str = "") -> bool:
        return bool(self._fs.exists(self._path(name)))

    def names(self, name: str = "") -> list[str]:
        """What is in the folder, sorted."""
        return sorted(status.getPath().getName() for status in self._fs.listStatus(self._path(name)))

    def is_link(self) -> bool:
        try:
            return bool(self._fs.getFileLinkStatus(self._at).isSymlink())
        except Exception:
            return False

    def is_folder(self, name: str = "") -> bool:
        return bool(self._fs.getFileStatus(self._path(name)).isDirectory())

    def read(self, name: str) -> bytes:
        stream = self._fs.open(self._path(name))
        try:
            return bytes(self._jvm.org.apache.commons.io.IOUtils.toByteArray(stream))
        finally:
            stream.close()

    def write(self, name: str, content: bytes) -> None:
        stream = self._fs.create(self._path(name), False)
        try:
            stream.write(bytearray(content))
        finally:
            stream.close()

    def move(self, name: str, to: str) -> None:
        if not self._fs.rename(self._path(name), self._path(to)):
            raise SystemError_(f"{self.path}: {name} cannot be renamed to {to}", file=self.path)

    def rename(self, to: Place) -> None:
        if not self._fs.rename(self._at, to._at):
            raise SystemError_(f"{self.path} cannot be renamed to {to.path}", file=to.path)
        if to.exists(self.name):  # file systems rename into a folder that is there
            to.remove(self.name)
            raise InputError(f"{to.path}: has come into being meanwhile", file=to.path)

    def replace(self, old: Place, aside: Place) -> None:
        """Becomes what an old folder was, if there is one, which is back in its place if that fails."""
        if not old.exists():
            return self.rename(old)
        old.rename(aside)
        try:
            self.rename(old)
        except BaseException:
            if not old.exists():
                aside.rename(old)
            raise
        aside.remove()

    def make(self, name: str) -> None:
        self._fs.mkdirs(self._path(name))

    def make_private(self) -> None:
        """A folder that only its owner can read, where the file system knows owners."""
        self._fs.mkdirs(self._at, self._permission("700"))

    def make_usual(self) -> None:
        """Opens the folder to whom new ones are open."""
        permission = self._permission("777")
        self._fs.setPermission(self._at, permission.applyUMask(permission.getUMask(self._conf)))

    def _permission(self, mode: str) -> Any:
        return self._jvm.org.apache.hadoop.fs.permission.FsPermission(mode)

    def remove(self, name: str = "") -> None:
        self._fs.delete(self._path(name), True)

    def files(self, name: str = "") -> Iterator[str]:
        """All files and empty folders below, with the folders that they are in."""
        entries = self.names(name)
        if name and not entries:
            yield name
        for entry in entries:
            path = f"{name}/{entry}" if name else entry
            if self.is_folder(path):
                yield from self.files(path)
            else:
                yield path


def check_target(target: Place, force: bool) -> None:
    """Only a release is ever replaced, and only where that was asked for; and nothing is written into one."""
    if ":" in target.name:
        raise InputError(f'{target.path}: Hadoop takes no ":" in the name of a folder', file=target.path)
    folder = target.folder_around()
    while folder is not None:
        if _listed(folder):
            raise in_release(target.path)
        folder = folder.folder_around()
    is_link = target.is_link()
    if not is_link and not target.exists():
        return
    if not force:
        raise InputError(f"{target.path}: exists already; force=True replaces a release", file=target.path)
    if is_link:
        raise InputError(f"{target.path}: is a symbolic link, which is not replaced; name the folder itself", file=target.path)
    listed = _listed(target)
    if not listed or not target.is_folder() or any(name not in listed for name in target.files()):
        what = "holds more than a release" if listed else "is no release"
        raise InputError(f"{target.path}: {what}, and is not replaced", file=target.path)


def _listed(target: Place) -> set[str]:
    """What a release may hold; nothing, where the folder is none."""
    try:
        manifest = json.loads(target.read("manifest.json"))
        if isinstance(manifest["format_version"], int) and isinstance(manifest["form"], str):
            return {"manifest.json", *(file["name"] for file in manifest["files"])}
    except Exception:  # whatever it is, it is not replaced
        pass
    return set()
