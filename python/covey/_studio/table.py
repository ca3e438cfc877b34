"""The table that was opened: pages of rows, and what its columns are like."""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import covey

from .jobs import Job

if TYPE_CHECKING:
    import pyarrow

N_BARS = 12


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
        """Reads and inspects a table; source: `input` of a policy."""
        options = {key: source[key] for key in ("delimiter", "null") if source and key in source}
        null = options.get("null")
        if isinstance(null, list):
            options["null"] = ",".join(null)
        _check_size(path)
        inspection = covey.inspect(path, progress=job.listen, **options)
        job.check()
        found = inspection.policy().to_dict().get("input", {})
        rows = read_rows(path, found)
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


def read_rows(path: str, source: Mapping[str, Any]) -> pyarrow.Table:
    """The rows of a table as the library sees them."""
    from covey._files import kinds

    options = {}
    if ":" not in path.split("/")[0] and kinds.of_file(path).word == "csv":
        options = {key: source[key] for key in ("delimiter", "null") if key in source}
    return covey.read(path, **options)
