"""Planning on a cluster: Spark counts values and samples rows, the driver makes a recipe of them."""

from __future__ import annotations

import os
from typing import Any

from .. import _core, _parquet
from .._call import warn
from .._data import Source
from .._errors import InputError, SystemError_, raise_error
from . import _tasks
from ._frames import plain
from ._policy import CarriedPolicy

MOST_VALUES = 5_000_000  # of a column: the driver and every executor hold them
SAMPLE = 1 << 14  # different rows that parts are found by
MOST_BITS = 40


class Plan:
    """What the published columns hold, and the recipe that follows.

    Attributes:
        files: what every executor needs: hierarchies and the recipe, by name.
        recipe: the same, opened here.
        n_parts: parts of the recipe.
        n_rows: rows that take part.
        rows: they.
    """

    def __init__(self, df: Any, policy: CarriedPolicy, rows_per_part: int) -> None:
        self._df = df
        self._policy = policy
        self._rows_per_part = rows_per_part
        self.files = dict(policy.files)
        self._quasi = policy.columns_as("quasi-identifier")
        self._counts: dict[str, Any] = {}  # of values in the rows that take part, as far as they are known
        self._sensitive = policy.columns_as("sensitive")
        self._make()

    def _column(self, name: str) -> Any:
        from pyspark.sql import functions as F

        return F.col(f"c{self._df.columns.index(name)}")

    def _missing(self, name: str, counted: Any) -> list[Any]:
        """The values of a column that the library takes for missing ones: those whose text is one of `null`."""
        source = self._policy.keys["input"]
        nulls = source.get("null", [""])
        texts_of_null = {str(text) for text in (nulls if isinstance(nulls, list) else [nulls])}
        values = counted.select([name])
        path = os.path.join(self._policy.folder, "values.csv")
        data = Source(values)
        try:
            _core.copy(data.name.encode(), os.fsencode(path), True, str(source.get("trim", "false")).lower() == "true")
        except _core.CoreError as error:
            raise_error(error, {data.name: "the values"})
        with open(path, "rb") as file:
            texts = _parquet.from_csv(file.read()).column(0).to_pylist()
        os.unlink(path)
        return [value for value, text in zip(values.column(0).to_pylist(), texts) if value is None or value != value or text in texts_of_null]

    def _is_one_of(self, name: str, values: list[Any]) -> Any:
        from pyspark.sql import functions as F

        column = self._column(name)
        found = column.isNull()
        if self._df.schema[name].dataType.typeName() in ("float", "double"):
            found = found | F.isnan(column)
        told = [value for value in values if value is not None and value == value]
        return found | column.isin(told) if told else found

    def _without_missing(self, frame: Any) -> Any:
        """The rows that take part; counts those that the policy drops."""
        source = self._policy.keys["input"]
        self._dropped = 0
        dropped: Any = None
        for names, key, usual in ((self._sensitive, "missing-sensitive", "error"), (self._quasi, "missing-quasi", "value")):
            wish = source.get(key, usual)
            for name in names if wish in ("drop", "error") else ():
                self._counts[name] = counted = self._count_values(frame, name)
                values = self._missing(name, counted)
                n = sum(count for value, count in zip(*(column.to_pylist() for column in counted.columns)) if value in values)
                if values and wish == "error":
                    raise InputError(
                        f'column "{name}" is missing in {n:,} row{"s" if n > 1 else ""}; fill them, drop them '
                        f'(input: {{"{key}": "drop"}}), or say that missing is a value ("value")',
                        column=name,
                    )
                if values:
                    condition = self._is_one_of(name, values)
                    dropped = condition if dropped is None else dropped | condition
        if dropped is None:
            return frame
        self._counts = {}
        self._dropped = frame.where(dropped).count()
        return frame.where(~dropped)

    def _make(self) -> None:
        frame = plain(self._df).select(*[self._column(name) for name in self._policy.columns])
        self.rows = frame = self._without_missing(frame)
        counts: dict[str, Any] = {}
        n_rows = 0
        for name in self._policy.columns:
            counts[name] = self._counts[name] if name in self._counts else self._count_values(frame, name)
            n_rows = sum(counts[name].column(1).to_pylist())
            if n_rows == 0:
                raise InputError("the DataFrame has no row: nothing to publish")
        sample = self._sample(frame)
        sources = {name: Source(table) for name, table in counts.items()}
        sample_source = Source(sample)
        recipe = os.path.join(self._policy.folder, "recipe")
        names = self._df.columns
        try:
            self.n_parts, said = _core.plan_counted(
                self._policy.yaml,
                self._policy.path,
                os.fsencode(recipe),
                tuple(name.encode() for name in names),
                tuple(sources[name].name.encode() if name in sources else None for name in names),
                sample_source.name.encode(),
                n_rows,
                self._dropped,
                self._rows_per_part,
            )
            self.recipe = _core.Recipe(os.fsencode(recipe))
        except _core.CoreError as error:
            shown = {sources[name].name: "the values" for name in sources}
            told = _tasks.without_row(error.args, os.path.join(self._policy.folder, "DataFrame"))
            raise_error(_core.CoreError(*told), {**self._policy.shown, **shown, sample_source.name: "the sample of rows"})
        for message in said:
            warn(message)
        self.n_rows = n_rows
        with open(recipe, "rb") as file:
            self.files["recipe"] = file.read()

    def _count_values(self, frame: Any, name: str) -> Any:
        from pyspark.sql import functions as F

        counted = frame.groupBy(self._column(name)).agg(F.count(F.lit(1)).alias("count")).limit(MOST_VALUES + 1).toArrow()
        if counted.num_rows > MOST_VALUES:
            raise InputError(
                f'column "{name}" has more than {MOST_VALUES:,} different values, and the plan holds all of them: drop or coarsen it',
                column=name,
            )
        return counted.rename_columns([name, "count" if name != "count" else "count of rows"])

    def _sample(self, frame: Any) -> Any:
        """Different rows of quasi-identifiers, chosen by a hash of what they hold, and how many rows have each."""
        from pyspark.sql import functions as F

        columns = [self._column(name) for name in self._quasi]
        hashed = frame.select(*columns, F.xxhash64(*columns).alias("hash"))
        distinct = hashed.agg(F.approx_count_distinct("hash")).first()[0]
        bits = min(max((distinct // SAMPLE).bit_length() - 1, 0), MOST_BITS)
        if bits:
            hashed = hashed.where(F.shiftrightunsigned(F.col("hash"), 64 - bits) == 0)
        sample = hashed.groupBy(*columns).agg(F.count(F.lit(1)).alias("count")).toArrow()
        if sample.num_rows == 0:
            raise SystemError_("the sample of rows is empty: the DataFrame gave other rows than before; persist() it")
        count = "count"
        while count in self._quasi:
            count += "_"
        return sample.rename_columns([*self._quasi, count])
