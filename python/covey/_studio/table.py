"""The table that was opened: pages of rows, and what its columns are like."""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import covey

from .. import _core, _folder
from .._errors import raise_error
from .jobs import Job

if TYPE_CHECKING:
    import pyarrow

N_BARS = 12
_OPTIONS = ("delimiter", "null", "header", "names", "trim")  # keys of a policy's `input`


class Table:
    """A table that was read.

    Attributes:
        path: file or database it comes from.
        columns: what covey.inspect says of each column.
        n_rows: rows.
        inspection: all that covey.inspect says.
    """

    def __init__(self, path: str, inspection: covey.Inspection, rows: pyarrow.Table) -> None:
        self.path = path
        self.inspection = inspection
        self.columns = inspection.columns
        self.n_rows = inspection.n_rows
        self.rows = rows
        self._counts: dict[str, pyarrow.Table] = {}
        self._bars: dict[str, tuple[str, list[tuple[str, int]]]] = {}

    @classmethod
    def read(cls, path: str, job: Job, source: Mapping[str, Any] | None = None) -> Table:
        """Reads and inspects a table; source: `input` of a policy, without which what is missing is guessed."""
        options = {key: value for key, value in {"null": [""], **source}.items() if key in _OPTIONS} if source is not None else {}
        for key in ("null", "names"):
            if isinstance(options.get(key), list):
                options[key] = ",".join(options[key])
        if "header" in options:
            options["header"] = "true" if options["header"] else "false"
        _check_size(path)
        inspection = covey.inspect(path, progress=job.listen, **options)
        job.check()
        found = {**(source or {}), **inspection.policy().to_dict().get("input", {})}
        rows = read_rows(path, found, [column["name"] for column in inspection.columns])
        table = cls(path, inspection, rows)
        for at, column in enumerate(table.columns):
            job.listen("columns", at, len(table.columns))
            job.check()
            table.bars(column["name"])
        return table

    def page(self, first: int, n: int) -> list[list[str]]:
        """Rows as texts, from row first on (0 is the first)."""
        part = self.rows.slice(first, n)
        return [list(cells) for cells in zip(*(texts_of(part.column(i)) for i in range(part.num_columns)))]

    def column(self, name: str) -> dict[str, Any]:
        return next(column for column in self.columns if column["name"] == name)

    def counts(self, name: str) -> pyarrow.Table:
        """Values of a column (`value`) with their numbers of rows (`n`), the commonest first."""
        if name not in self._counts:
            import pyarrow
            from pyarrow import compute

            found = compute.value_counts(self.rows.column(name))
            counted = pyarrow.table({"value": found.field("values"), "n": found.field("counts")})
            self._counts[name] = counted.sort_by([("n", "descending")])
        return self._counts[name]

    def commonest(self, name: str, n: int) -> list[tuple[str, int]]:
        """The n commonest values of a column with their numbers of rows."""
        found = self.counts(name).slice(0, n)
        return list(zip(texts_of(found.column("value")), found.column("n").to_pylist()))

    def bars(self, name: str) -> tuple[str, list[tuple[str, int]]]:
        """What a column looks like: ("histogram", numbers in ranges of equal width) or ("commonest", values)."""
        if name not in self._bars:
            found = self._histogram(name) if self.column(name)["type"] in ("integer", "decimal") else []
            self._bars[name] = ("histogram", found) if found else ("commonest", self.commonest(name, N_BARS))
        return self._bars[name]

    def _histogram(self, name: str) -> list[tuple[str, int]]:
        """Empty where values are few, or cannot be counted in ranges."""
        import pyarrow
        from pyarrow import compute

        counts = self.counts(name)
        if counts.num_rows <= N_BARS or not _is_number(counts.column("value").type):
            return []
        numbers = counts.column("value").cast(pyarrow.float64())
        ends = compute.min_max(numbers).as_py()
        low, width = ends["min"], (ends["max"] - ends["min"]) / N_BARS
        if not 0 < width < float("inf"):
            return []
        at = compute.min_element_wise(compute.floor(compute.divide(compute.subtract(numbers, low), width)), N_BARS - 1.0)
        sums = pyarrow.table({"at": at, "n": counts.column("n")}).group_by("at").aggregate([("n", "sum")]).to_pylist()
        found = {row["at"]: row["n_sum"] for row in sums}
        return [(f"{low + i * width:.4g} – {low + (i + 1) * width:.4g}", found.get(i, 0)) for i in range(N_BARS)]


def _is_number(kind: Any) -> bool:
    from pyarrow import types

    return bool(types.is_integer(kind) or types.is_floating(kind) or types.is_decimal(kind))


def _check_size(path: str) -> None:
    """InputError for a file that the page could not hold."""
    try:
        size = os.path.getsize(path)
        memory = os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")
    except (OSError, ValueError):
        return  # no file, or nobody knows
    if size > memory // 2:
        raise covey.InputError(
            f"{path}: {size:,} bytes are more than half of the memory of this machine, and the studio shows tables that fit into "
            "it; `covey anonymize --memory-limit` takes larger ones",
            file=path,
        )


def texts_of(cells: Any) -> list[str]:
    """Cells of an Arrow column as texts, missing ones empty."""
    return ["" if cell is None else str(cell) for cell in cells.to_pylist()]


def is_database(path: str) -> bool:
    return ":" in path.split("/")[0]


def read_rows(path: str, source: Mapping[str, Any], names: list[str]) -> pyarrow.Table:
    """The rows of a table as the library sees them, in columns of these names."""
    from covey._files import kinds

    if not is_database(path) and kinds.of_file(path).word != "csv":
        return covey.read(path)
    options = {key: source[key] for key in ("delimiter", "null") if key in source}
    if is_database(path) or source.get("header") is False or source.get("trim"):
        return _read_copy(path, source, options.get("null", [""])).rename_columns(names)
    return covey.read(path, **options)


def _read_copy(path: str, source: Mapping[str, Any], null: Any) -> pyarrow.Table:
    """A table that the library alone can read, through a copy that nobody else can see, and that goes at once."""
    folder = _folder.make(_folder.places(None)[0])
    copy = os.path.join(folder, "table.csv")
    try:
        _core.copy(os.fsencode(path), os.fsencode(copy), source.get("header") is not False, bool(source.get("trim")))
        return covey.read(copy, delimiter=",", null=null)
    except _core.CoreError as error:
        raise_error(error, {})
    finally:
        _folder.remove(folder)
