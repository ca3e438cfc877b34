"""What can be seen of a finished release: worked out once, beside the page, and kept."""

from __future__ import annotations

import contextlib
from collections import Counter
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor, as_completed
from typing import Any

import covey

from .cells import Column, Pairs
from .jobs import Job
from .table import Table, texts_of

_QUICK = ("skewness", "homogeneity", "similarity", "background-knowledge", "naive-bayes", "corruption", "re-identification", "rare-values")
_GROUPS = {"table": "class", "quasi": "group"}


class Views:
    """The views of one release.

    Attributes:
        loss: what covey measure says; None while nobody knows.
        attacks: what covey attack says; None while nobody knows. knows_all_attacks: the slower ones are among them.
        faults: what went wrong with either, by name.
        sizes: number of classes by number of rows; empty where the form has none that can be counted.
    """

    def __init__(self, release: covey.Release, table: Table | None) -> None:
        self.release = release
        self.table = table
        self.loss: dict[str, Any] | None = None
        self.attacks: list[dict[str, Any]] | None = None
        self.knows_all_attacks = False
        self.faults: dict[str, covey.Error] = {}
        self._sizes: Counter[int] | None = None
        self._pairs: Pairs | None = None
        self._originals: dict[str, Column] = {}
        self._shares: dict[str, list[dict[str, Any]]] = {}

    @property
    def _original(self) -> str | None:
        return self.table.path if self.table is not None else None

    def work(self, job: Job, changed: Callable[[], None]) -> None:
        """Everything that takes longer: the attacks beside the losses, and those that are quick first."""
        steps: tuple[Callable[[Job], None], ...] = (self._attack, self._measure, self._attack_quickly)
        with ThreadPoolExecutor(2) as pool:
            for done in as_completed([pool.submit(step, job) for step in steps]):
                done.result()
                changed()

    def _measure(self, job: Job) -> None:
        try:
            self.loss = self.release.measure(self._original, progress=job.listen)
        except covey.Cancelled:
            raise
        except covey.Error as error:
            self.faults["loss"] = error

    def _attack(self, job: Job) -> None:
        try:
            self.attacks = self.release.attack(self._original, progress=job.listen)
        except covey.Cancelled:
            raise
        except covey.Error as error:
            self.faults["attacks"] = error
        self.knows_all_attacks = True

    def _attack_quickly(self, job: Job) -> None:
        with contextlib.suppress(covey.InputError):  # what does not apply is said by the call that asks for all
            found = self.release.attack(self._original, list(_QUICK), progress=job.listen)
            self.attacks = self.attacks or found

    @property
    def sizes(self) -> Counter[int]:
        if self._sizes is None:
            self._sizes = Counter()
            for name, column in _GROUPS.items():
                if name in self.release.table_names and column in self.release.tables[name].column_names:
                    counted = self.release.tables[name].column(column).value_counts()
                    self._sizes = Counter(counted.field("counts").to_pylist())
                    break
        return self._sizes

    def page(self, name: str, first: int, n: int) -> list[list[str]]:
        """Rows of a table of the release, as texts."""
        part = self.release.tables[name].slice(first, n)
        return [list(cells) for cells in zip(*(texts_of(part.column(i)) for i in range(part.num_columns)))]

    @property
    def pairs(self) -> Pairs | None:
        """Rows of the original that fit published ones; None for forms that publish no rows, and without an original."""
        if self._pairs is None and self.table is not None and self.release.form == "generalized":
            names = self.table.rows.column_names
            facts = [one for one in self.release.manifest.get("columns", []) if one.get("name") in names]
            self._pairs = Pairs({one["name"]: self._column(one["name"], one) for one in facts})
        return self._pairs

    def columns(self) -> list[dict[str, Any]]:
        """The published columns."""
        return [column for column in self.release.manifest.get("columns", []) if column.get("role") != "identifier"]

    def distribution(self, name: str) -> list[dict[str, Any]]:
        """A column before and after: per value `value`, `before` (None without the original), `lower`, `upper`, `after`."""
        if name not in self._shares:
            quoted = '"' + name.replace('"', '""') + '"'
            role = next((column.get("role") for column in self.columns() if column["name"] == name), "")
            rows = self._grouped(quoted) if role == "quasi-identifier" else self._counted(name)
            for row, n in zip(rows, self._before(name, [row["value"] for row in rows])):
                row["before"] = n
            self._shares[name] = rows
        return self._shares[name]

    def _before(self, name: str, cells: list[str]) -> list[int] | list[None]:
        """How many rows of the original each of the cells stands for."""
        facts = next((column for column in self.columns() if column["name"] == name), None)
        if self.table is None or facts is None or name not in self.table.rows.column_names:
            return [None] * len(cells)
        return self._column(name, facts).divided(cells)

    def _column(self, name: str, facts: dict[str, Any]) -> Column:
        assert self.table is not None
        if name not in self._originals:
            self._originals[name] = Column(self.release, self.table, facts)
        return self._originals[name]

    def _grouped(self, quoted: str) -> list[dict[str, Any]]:
        found = []
        for group in self.release.query(f"SELECT COUNT(*) GROUP BY {quoted}").groups or []:
            (value,) = group["key"].values()
            answer = group["answers"][0]
            found.append(
                {
                    "value": "" if value is None else str(value),
                    "lower": answer["lower"],
                    "upper": answer["upper"],
                    "after": answer["estimate"],
                }
            )
        return found

    def _counted(self, name: str) -> list[dict[str, Any]]:
        """A column that is published as it is, or beside a number of rows."""
        counts: Counter[str] = Counter()
        for table in self.release.tables.values():
            if name in table.column_names:
                weights = table.column("count").to_pylist() if "count" in table.column_names else [1] * table.num_rows
                for value, weight in zip(texts_of(table.column(name)), weights):
                    counts[value] += int(weight)
                break
        return [{"value": value, "lower": n, "upper": n, "after": n} for value, n in counts.most_common()]
