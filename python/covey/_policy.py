"""Policies: what a publisher wishes, as keywords, as a mapping or as a YAML file."""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, Union

from . import _core, _folder, _hierarchy, _yaml
from ._errors import InputError, SystemError_, raise_error
from ._places import Places, Said

PolicyLike = Union["Policy", Mapping[str, Any], str, "os.PathLike[str]", None]
Names = Union[str, Iterable[str], Mapping[str, Any]]

_ROLES = {
    "identifier": "identifier",
    "quasi": "quasi-identifier",
    "sensitive": "sensitive",
    "insensitive": "insensitive",
    "entity": "entity",
    "weight": "weight",
}
_KEYS = ("version", "input", "attributes", "others", "privacy", "presets", "method", "suppression", "groups")


class Policy:
    """What may be published of a table, and what is promised for it.

    Args:
        quasi: quasi-identifiers: names, or a mapping from names to hierarchies
            (``{"zip": {"mask": 5}, "education": "education.csv", "age": None}``). A hierarchy is None; as a policy
            writes it; the path of a file, one line per leaf, as ARX has them; a DataFrame or list with one row per leaf,
            from the leaf to the root; a mapping from each leaf to the list of its ancestors, from each node to its
            parent, or, with the root as its only key, a tree: ``{"*": {"north": ["a", "b"], "south": ["c"]}}``.
        sensitive, insensitive, identifier: names of columns; insensitive ones are published as they are, identifiers
            dropped. A mapping gives hierarchies, as above.
        others: "drop" or "insensitive", for columns that are not named; without it such a column is an error.
        privacy: promises: ``[covey.KAnonymity(5), {"model": "t-closeness", "t": "0.2"}]``.
        method: "auto", a name, or a mapping with parameters: ``{"name": "mondrian", "cut": "relaxed"}``.
        suppression: the share of rows that may be dropped, from 0 to 1.
        keys: the other keys of a policy file: input, attributes, groups, presets; entity and weight name the columns
            of these roles.

    Raises:
        InputError: for keys that a policy does not have, and hierarchies that are none. What the values mean is checked
            when the policy is used; complaints then name the keyword: ``quasi["zip"]["mask"]: ...``.

    Source: docs/man/covey-policy, README.md.
    """

    def __init__(
        self,
        *,
        quasi: Names | None = None,
        sensitive: Names | None = None,
        insensitive: Names | None = None,
        identifier: Names | None = None,
        others: str | None = None,
        privacy: Any = None,
        method: Any = None,
        suppression: Any = None,
        **keys: Any,
    ) -> None:
        self._keys: dict[str, Any] = {"version": 1}
        self._path: str | None = None  # of the file that it is, until a key is changed
        self._text: bytes | None = None
        self._said: dict[str, Said] = {}  # by name of column
        self._set(
            quasi=quasi,
            sensitive=sensitive,
            insensitive=insensitive,
            identifier=identifier,
            others=others,
            privacy=privacy,
            method=method,
            suppression=suppression,
            **keys,
        )

    @classmethod
    def from_dict(cls, keys: Mapping[str, Any]) -> Policy:
        """A policy from a mapping in the shape of the YAML, or of the keyword arguments."""
        return cls(**{str(key): value for key, value in keys.items()})

    @classmethod
    def read(cls, path: str | os.PathLike[str]) -> Policy:
        """Reads a policy file. InputError with file, row and column for a file that is none, or says what no policy can say."""
        name = _folder.path_of(path)
        try:
            with open(name, "rb") as file:
                text = file.read()
        except OSError as error:
            raise InputError(f"{name}: {error.strerror}", file=name) from error
        try:
            _core.policy_check(text, os.fsencode(name))
            keys = json.loads(_core.policy_json(text, os.fsencode(name)))
        except _core.CoreError as error:
            raise_error(error, {})
        policy = cls()
        policy._keys = _in_full(keys)
        policy._path, policy._text = name, text
        return policy

    def to_dict(self) -> dict[str, Any]:
        """A copy of the policy's keys, in the shape of the YAML."""
        copy: dict[str, Any] = json.loads(json.dumps(self._keys, default=str))
        return copy

    def to_yaml(self) -> str:
        """The policy as the command reads it. Paths are as they were given."""
        return self._text.decode() if self._text is not None else _yaml.dump(self._keys)

    def write(self, path: str | os.PathLike[str]) -> None:
        """Writes the policy as a file; relative paths in it are made relative to the file's folder."""
        name = _folder.path_of(path)
        folder = os.path.dirname(os.path.abspath(name))
        _folder.spare_release(name)
        keys = _with_paths(self._keys, lambda p: _seen_from(folder, self._folder(), p))
        try:
            with open(name, "w", encoding="utf-8") as file:
                file.write(_yaml.dump(keys))
        except OSError as error:
            raise SystemError_(f"{name}: {error.strerror}", file=name) from error

    def replace(self, **keys: Any) -> Policy:
        """The policy with other values for some of its keys, as for Policy()."""
        copy = Policy()
        copy._keys = _with_paths(dict(self._keys), lambda p: os.path.join(self._folder(), p)) if self._path else {**self._keys}
        if any(value is not None for value in keys.values()):
            copy._said = dict(self._said)
            copy._set(**keys)
        else:
            copy._keys, copy._path, copy._text, copy._said = self._keys, self._path, self._text, self._said
        return copy

    def drops(self, name: str) -> bool:
        """Is a column not published, and not looked at either?"""
        for item in self._keys.get("attributes") or ():
            if isinstance(item, Mapping) and str(item.get("name")) == name and item.get("role") is not None:
                return bool(item["role"] == "identifier")
        return bool(self._keys.get("others") == "drop")

    @property
    def input_path(self) -> str | None:
        """The file or source that the policy reads, as seen from here; None if it names none."""
        source = self._keys.get("input")
        path = source.get("path") if isinstance(source, Mapping) else None
        return os.path.join(self._folder(), path) if isinstance(path, str) else None

    def _folder(self) -> str:
        return os.path.dirname(self._path) if self._path else ""

    def _given(self) -> tuple[bytes, str, Places | None]:
        """YAML, the name that complaints call it by, and what they mean where it is no file."""
        if self._path is not None:
            return (self._text if self._text is not None else self.to_yaml().encode()), self._path, None
        places = Places(self._keys, self._said)
        return places.text, places.name, places

    def _set(self, **keys: Any) -> None:
        keys = {key: list(value) if isinstance(value, Iterator) else value for key, value in keys.items()}  # they are read twice
        _check_roles(keys)
        for key, value in sorted(keys.items(), key=lambda item: item[0] != "attributes"):  # roles are added to these
            if value is None:
                continue
            if key in _ROLES:
                self._set_role(key, value)
            elif key == "privacy":
                self._keys[key] = [_promise(item) for item in (value if isinstance(value, (list, tuple)) else [value])]
            elif key == "method":
                if not isinstance(value, (str, Mapping)):
                    raise InputError(f"method must be a name or a mapping with one, not {value!r}", parameter=key)
                self._keys[key] = {"name": value} if isinstance(value, str) else dict(value)
            elif key == "suppression":
                self._keys[key] = value if isinstance(value, Mapping) else {"limit": value}
            elif key == "attributes":
                self._keys[key] = [self._attribute(at, item) for at, item in enumerate(value)]
            elif key in _KEYS:
                self._keys[key] = value
            else:
                raise InputError(f'a policy has no key "{key}"; it has {", ".join((*_ROLES, *_KEYS))}', parameter=key)
        self._path = self._text = None
        order = [key for key in _KEYS if key in self._keys]
        self._keys = {key: self._keys[key] for key in [*order, *(key for key in self._keys if key not in order)]}

    def _attribute(self, at: int, item: Any) -> Any:
        """An attribute in the shape of the YAML, whose hierarchy may be a table or tree."""
        if not isinstance(item, Mapping):
            raise InputError(f'attributes[{at}] must be a mapping such as {{"name": "age", "domain": [0, 120]}}, not {item!r}', parameter=f"attributes[{at}]")
        if item.get("name") is None:
            raise InputError(f"attributes[{at}] has no name", parameter=f"attributes[{at}]")
        if item.get("hierarchy") is None:
            return item
        place = f'attributes[{at}]["hierarchy"]'
        hierarchy, lines = _hierarchy.hierarchy_of(place, item["hierarchy"])
        self._said[str(item.get("name"))] = Said("attributes", lines)
        return {**item, "hierarchy": hierarchy}

    def _set_role(self, key: str, names: Names) -> None:
        """The columns of a role are those named, and no others."""
        role = _ROLES[key]
        wanted = self._wanted(key, names)
        kept = [dict(item) for item in self._keys.get("attributes", []) if item.get("role") != role or item["name"] in wanted]
        known = {item["name"]: item for item in kept}
        for name, hierarchy in wanted.items():
            if name not in known:
                known[name] = {"name": name}
                kept.append(known[name])
            known[name]["role"] = role
            if hierarchy is not None:
                known[name]["hierarchy"] = hierarchy
        self._keys["attributes"] = kept

    def _wanted(self, key: str, names: Names) -> dict[str, Any]:
        """Names with their hierarchies, None for none."""
        given = {names: None} if isinstance(names, str) else names
        if not isinstance(given, Mapping):
            if not isinstance(given, Iterable) or any(isinstance(name, (Mapping, list)) for name in given):
                raise InputError(
                    f"{key} must be names of columns, or a mapping from names to hierarchies, not {given!r}; other settings of a column go into `attributes`",
                    parameter=key,
                )
            given = dict.fromkeys(given)
        wanted = {}
        for name, spec in given.items():
            wanted[str(name)], lines = _hierarchy.hierarchy_of(f'{key}["{name}"]', spec)
            self._said[str(name)] = Said(key, lines)
        return wanted

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Policy) and self._keys == other._keys

    def __hash__(self) -> int:
        return hash(_yaml.dump(self._keys))

    def __repr__(self) -> str:
        return f"<covey.Policy\n{self.to_yaml()}>"


def _check_roles(keys: Mapping[str, Any]) -> None:
    """One column has one role: in one call no two keywords name it. A later call may give it another."""
    roles: dict[str, str] = {}
    attributes = keys.get("attributes")
    if not isinstance(attributes, (list, tuple, type(None))):
        raise InputError(f"attributes must be a list of mappings, not {attributes!r}", parameter="attributes")
    for item in attributes or ():
        if isinstance(item, Mapping) and item.get("role") is not None:
            roles[str(item.get("name"))] = str(item["role"])
    for key, role in _ROLES.items():
        names = keys.get(key)
        for name in [names] if isinstance(names, str) else names if isinstance(names, Iterable) else ():
            if roles.setdefault(str(name), role) != role:
                raise InputError(
                    f'column "{name}" is to be {roles[str(name)]} and {role}: one column has one role', column=str(name), parameter=key
                )


def policy_of(policy: PolicyLike, keys: Mapping[str, Any]) -> Policy:
    """Whatever was given as a policy, with the keys that win over it."""
    if policy is None:
        return Policy(**keys)
    if isinstance(policy, Mapping):
        policy = Policy.from_dict(policy)
    elif isinstance(policy, (str, os.PathLike)):
        policy = Policy.read(policy)
    elif not isinstance(policy, Policy):
        raise InputError(f"{type(policy).__name__} is no policy: hand over a covey.Policy, a path, or a mapping in the shape of the YAML", parameter="policy")
    return policy.replace(**keys) if keys else policy


def _in_full(said: dict[str, Any]) -> dict[str, Any]:
    """The keys of a file that was checked, nothing in short; names of columns are texts, also where they are digits."""
    keys: dict[str, Any] = _yaml.native(said)
    for item, own in zip(keys.get("attributes", []), said.get("attributes", [])):
        item["name"] = own["name"]
    if isinstance(keys.get("method"), str):
        keys["method"] = {"name": keys["method"]}
    if "suppression" in keys and not isinstance(keys["suppression"], dict):
        keys["suppression"] = {"limit": keys["suppression"]}
    if "privacy" in keys:
        keys["privacy"] = [{"model": item} if isinstance(item, str) else item for item in keys["privacy"]]
    return keys


def _promise(item: Any) -> dict[str, Any]:
    if hasattr(item, "to_dict") and not isinstance(item, type):
        item = item.to_dict()
    if not isinstance(item, Mapping):
        raise InputError(f"{item!r} is no promise: write covey.KAnonymity(5) or {{'model': 'k-anonymity', 'k': 5}}")
    return dict(item)


def _with_paths(keys: dict[str, Any], change: Any) -> dict[str, Any]:
    """A copy with other paths: those of the input and of every file of a hierarchy or target."""

    def copy(value: Any, key: str) -> Any:
        if isinstance(value, Mapping):
            return {k: copy(v, k) for k, v in value.items()}
        if isinstance(value, (list, tuple)):
            return [copy(item, key) for item in value]
        is_path = key == "file" and isinstance(value, (str, os.PathLike))
        return change(os.fspath(value)) if is_path else value

    changed: dict[str, Any] = copy(keys, "")
    source = changed.get("input")
    if isinstance(source, dict) and isinstance(source.get("path"), str) and ":" not in source["path"].split("/")[0]:
        changed["input"] = {**source, "path": change(source["path"])}
    return changed


def _seen_from(folder: str, own: str, path: str) -> str:
    """A path in a policy of the folder own as one of another folder has it."""
    return path if os.path.isabs(path) else os.path.relpath(os.path.join(own, path), folder)
