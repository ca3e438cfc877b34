"""What a file says of its columns beside their values, as metadata of Arrow fields.

Keys of a field: covey.label (text), covey.value_labels (JSON: {"1": "male"}), covey.missing (JSON: values, letters and
{"lo", "hi"} that stand for missing ones), covey.format (as its program writes it: F8.2, %td, DATE9.), covey.measure
(nominal, ordinal, scale). Keys of the schema: covey.source (the format), covey.file_label.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from typing import Any

_TEXTS = ("label", "format", "measure")
_OBJECTS = ("value_labels", "missing")


def metadata_of(facts: Mapping[str, Any]) -> dict[bytes, bytes]:
    """Facts of a column (label, value_labels, missing, format, measure) as metadata, without those that say nothing."""
    found = {f"covey.{key}": str(facts[key]) for key in _TEXTS if facts.get(key)}
    found |= {f"covey.{key}": json.dumps(facts[key], ensure_ascii=False) for key in _OBJECTS if facts.get(key)}
    return {key.encode(): value.encode("utf-8", "replace") for key, value in found.items()}


def facts_of(field: Any) -> dict[str, Any]:
    """The facts of a field; metadata that are not as above are nothing."""
    metadata = field.metadata or {}
    facts: dict[str, Any] = {}
    for key in _TEXTS:
        value = metadata.get(f"covey.{key}".encode())
        if value:
            facts[key] = value.decode("utf-8", "replace")
    for key, kind in zip(_OBJECTS, (dict, list)):
        try:
            value = json.loads(metadata.get(f"covey.{key}".encode(), b"null"))
        except ValueError:
            continue
        if isinstance(value, kind) and value:
            facts[key] = value
    return facts


class Codebook:
    """The facts of all columns of a table, in its order; what a release needs to be written as its input was.

    Attributes:
        columns: facts by name of column; a column without facts has an empty mapping.
        source: the word of the format that the table was read from, "" if unknown.
        file_label: what the file calls itself.
    """

    def __init__(self, columns: dict[str, dict[str, Any]], source: str = "", file_label: str = "") -> None:
        self.columns = columns
        self.source = source
        self.file_label = file_label

    @classmethod
    def of_manifest(cls, manifest: Mapping[str, Any]) -> Codebook:
        """Of the table that a release was made of, without the labels of values that it does not show."""
        given = manifest.get("codebook") or {}
        facts = given.get("columns") or {}
        columns = {str(column["name"]): dict(facts.get(column["name"]) or {}) for column in manifest["columns"]}
        return cls(columns, str(given.get("source", "")), str(given.get("file_label", "")))

    @classmethod
    def of_schema(cls, schema: Any) -> Codebook:
        """Of a table of pyarrow; of anything else an empty one."""
        if not hasattr(schema, "metadata"):
            return cls({})
        metadata = schema.metadata or {}
        columns = {field.name: facts_of(field) for field in schema}
        return cls(
            columns,
            metadata.get(b"covey.source", b"").decode("utf-8", "replace"),
            metadata.get(b"covey.file_label", b"").decode("utf-8", "replace"),
        )

    def __bool__(self) -> bool:
        return any(self.columns.values())

    def facts(self, name: str) -> dict[str, Any]:
        return self.columns.get(name, {})

    def values(self, name: str) -> dict[str, str]:
        """The value labels of a column, by value as text."""
        return {str(value): str(label) for value, label in self.facts(name).get("value_labels", {}).items()}

    def order(self, names: Iterable[str]) -> list[str]:
        """Names in the order of the table; those that it does not have come first (a release's class)."""
        place = {name: at for at, name in enumerate(self.columns)}
        return sorted(names, key=lambda name: place.get(name, -1))


def value_text(value: Any) -> str:
    """A value as it shows in a table: a whole number without a point."""
    if isinstance(value, float) and value.is_integer() and abs(value) < 2**53:
        return str(int(value))
    return str(value)
