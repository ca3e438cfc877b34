"""A policy on a cluster: what it says of a DataFrame's columns, and what executors need to have of it."""

from __future__ import annotations

import contextlib
import os
import re
from collections.abc import Iterator
from typing import Any

from .. import _core, _yaml
from .._errors import Error, InputError, raise_error
from .._places import Places
from .._policy import Policy, _with_paths
from . import _tasks

_SIMPLE = ("byte", "short", "integer", "long", "float", "double", "boolean", "string", "date", "decimal", "char", "varchar")


class CarriedPolicy:
    """A policy whose files lie in one folder, here and in executors.

    Attributes:
        folder: it, here.
        files: the hierarchies in it, by name; paths: what the policy calls them.
        keys: of the policy, its input being the DataFrame; yaml: the same as text.
        path: what complaints call it by, and shown: what to call that for people.
        columns: of the DataFrame that are published.
        not_in_parts: why it cannot be kept part by part, None: it can.
    """

    def __init__(self, df: Any, policy: Policy, folder: str) -> None:
        self._df = df
        self.folder = folder
        self._bring_files(policy)
        self.path = os.fsencode(os.path.join(folder, "policy"))
        self.shown = {os.fsdecode(self.path): "the policy", os.path.join(folder, "DataFrame"): "the DataFrame"}
        self.shown.update((os.path.join(folder, name), path) for name, path in self.paths.items())
        self._places = Places(self.keys, policy._said)
        with self.in_words():
            self._find_columns()

    @contextlib.contextmanager
    def in_words(self) -> Iterator[None]:
        """Whoever wrote the policy has not seen the lines of this YAML: complaints name its keys in their place."""
        try:
            yield
        except Error as error:
            found = re.search(r"the policy:(\d+):(\d+): ", str(error))
            if found is None:
                raise
            said = str(error).replace("the policy:", f"{self._places.name}:")
            said, place = self._places.complaint(said, int(found[1]), int(found[2]))
            again = type(error)(said)
            again.__dict__.update(error.__dict__, row=place.row, column=place.column, parameter=error.parameter or place.words or None)
            raise again from None

    def _bring_files(self, policy: Policy) -> None:
        files = iter(range(1_000_000))
        self.files: dict[str, bytes] = {}
        self.paths: dict[str, str] = {}

        def bring(path: str) -> str:
            """Hierarchies go wherever the policy goes."""
            name = f"file-{next(files)}.csv"
            try:
                with open(os.path.join(policy._folder(), path), "rb") as file:
                    self.files[name] = file.read()
            except OSError as error:
                raise InputError(f"{path}: {error.strerror}", file=path) from error
            self.paths[name] = path
            return name

        keys = policy.to_dict()
        source = {key: value for key, value in (keys.get("input") or {}).items() if key not in ("path", "delimiter")}
        keys["input"] = source
        keys = _with_paths(keys, bring)
        keys["input"] = {**source, "path": "DataFrame"}
        _tasks.put_files(self.folder, self.files)
        self.keys = keys
        self.yaml = _yaml.dump(keys).encode()

    def _find_columns(self) -> None:
        names = self._df.columns
        for name in names:
            if names.count(name) > 1:
                raise InputError(f'two columns are called "{name}"', column=name)
        try:
            why = _core.plan_check(self.yaml, self.path)
            kept = _core.plan_columns(self.yaml, self.path, tuple(name.encode() for name in names))
        except _core.CoreError as error:
            raise_error(_core.CoreError(*_tasks.without_row(error.args, os.path.join(self.folder, "DataFrame"))), self.shown)
        for path, words in self.shown.items():
            why = why and why.replace(path, words)
        self.not_in_parts = why
        self.columns = [name for name, keep in zip(names, kept) if keep]
        for name in self.columns:
            self._check_type(name)

    def columns_as(self, role: str) -> list[str]:
        """The published columns that the policy gives a role."""
        roles = {str(item["name"]): item.get("role") for item in self.keys.get("attributes") or []}
        return [name for name in self.columns if roles.get(name) == role]

    def is_simple(self, name: str) -> bool:
        """Does the column hold numbers, texts, dates or booleans?"""
        kind = self._df.schema[name].dataType.typeName()
        return kind in _SIMPLE or kind.startswith(("decimal", "char", "varchar", "string"))

    def _check_type(self, name: str) -> None:
        if self.is_simple(name):
            return
        kind = self._df.schema[name].dataType
        advice = "cast it to a date or a text" if kind.typeName().startswith("timestamp") else "select what is to be published of it"
        raise InputError(
            f'column "{name}": a column of type {kind.simpleString()} is not published; {advice}, or leave it out of the policy '
            "(others: drop)",
            column=name,
        )
