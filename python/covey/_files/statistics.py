"""Files of SPSS, Stata and SAS, read by ReadStat through pyreadstat. Runs in the child process."""

from __future__ import annotations

from typing import Any

from .kinds import load as load_library
from .labels import metadata_of, value_text
from .values import column_of

_READERS = {"sav": "read_sav", "dta": "read_dta", "sas7bdat": "read_sas7bdat", "xpt": "read_xport"}
_HAS_CODES = ("sav", "dta", "sas7bdat")  # for missing values


def load(kind: str) -> Any:
    return load_library("pyreadstat")


def _value_labels(labels: dict[Any, str]) -> dict[str, str]:
    return {value_text(value): label for value, label in labels.items()}


def _missing(meta: Any, name: str) -> list[Any]:
    """Codes of missing values: SPSS gives ranges, Stata and SAS letters."""
    return list(meta.missing_ranges.get(name, [])) + list(meta.missing_user_values.get(name, []))


def _facts(meta: Any, name: str) -> dict[str, Any]:
    measure = meta.variable_measure.get(name)
    return {
        "label": meta.column_names_to_labels.get(name),
        "value_labels": _value_labels(meta.variable_value_labels.get(name, {})),
        "missing": _missing(meta, name),
        "format": meta.original_variable_types.get(name),
        "measure": measure if measure != "unknown" else None,
    }


def read(
    path: str,
    kind: str,
    *,
    user_missing: bool = False,
    encoding: str | None = None,
    columns: list[str] | None = None,
    catalog: str | None = None,
) -> Any:
    """The table. user_missing: values that the file declares missing stay what they are; columns: none but these;
    catalog: the .sas7bcat with the value labels of a .sas7bdat."""
    import pyarrow

    library = load(kind)
    wishes: dict[str, Any] = {"output_format": "dict", "encoding": encoding, "usecols": columns}
    if kind in _HAS_CODES:
        wishes["user_missing"] = user_missing
    values, meta = getattr(library, _READERS[kind])(path, **wishes)
    names = list(meta.column_names)
    if catalog:
        labels = library.read_sas7bcat(catalog, encoding=encoding, output_format="dict")[1].value_labels
        meta.variable_value_labels = {name: labels[of] for name, of in meta.variable_to_label.items() if of in labels}
    if kind == "sav" and not user_missing:  # the codes themselves are said by a reading that keeps them
        only_facts = {"metadataonly": True, "user_missing": True, "output_format": "dict", "encoding": encoding}
        meta.missing_ranges = library.read_sav(path, **only_facts)[1].missing_ranges
    arrays = [column_of(list(values[name])) for name in names]
    fields = [
        pyarrow.field(name, array.type, metadata=metadata_of(_facts(meta, name)) or None)
        for name, array in zip(names, arrays)
    ]
    own = {"covey.source": kind, "covey.file_label": meta.file_label or ""}
    return pyarrow.Table.from_arrays(arrays, schema=pyarrow.schema(fields, metadata=own))
