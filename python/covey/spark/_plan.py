"""Planning on a cluster: Spark counts values and samples rows, the driver makes a recipe of them."""

from __future__ import annotations

import os
from typing import Any

from .. import _core
from .._call import warn
from .._data import Source
from .._errors import InputError, SystemError_, raise_error
from ._frames import free_name, quoted
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
        self._sensitive = policy.columns_as("sensitive")
        self._make()

    def _is_missing(self, name: str) -> Any:
        from pyspark.sql import functions as F

        source = self._policy.keys["input"]
        column = F.col(quoted(name))
        kind = self._df.schema[name].dataType.typeName()
        texts = source.get("null", [""])
        missing = column.isNull()
        if kind in ("float", "double"):
            missing = missing | F.isnan(column)
        text = column.cast("string")
        if source.get("trim"):
            text = F.trim(text)
        return missing | text.isin([str(item) for item in texts] or ["\0"])

    def _without_missing(self, frame: Any) -> Any:
        """The rows that take part; counts those that the policy drops."""
        from pyspark.sql import functions as F

        source = self._policy.keys["input"]
        self._dropped = 0
        wishes = ((self._sensitive, source.get("missing-sensitive", "error")), (self._quasi, source.get("missing-quasi", "value")))
        dropped = [self._is_missing(name) for names, wish in wishes if wish == "drop" for name in names]
        refused = [name for names, wish in wishes if wish == "error" for name in names]
        if refused:
            counts = frame.agg(*[F.count(F.when(self._is_missing(name), 1)).alias(str(i)) for i, name in enumerate(refused)]).first()
            for name, n in zip(refused, counts):
                if n > 0:
                    raise InputError(
                        f'column "{name}" is missing in {n:,} row{"s" if n > 1 else ""}; fill them, drop them '
                        '(input: {"missing-sensitive": "drop"}), or say that missing is a value ("value")',
                        column=name,
                    )
        if not dropped:
            return frame
        condition = dropped[0]
        for other in dropped[1:]:
            condition = condition | other
        self._dropped = frame.where(condition).count()
        return frame.where(~condition)

    def _make(self) -> None:
        from pyspark.sql import functions as F

        frame = self._df.select(*[F.col(quoted(name)) for name in self._policy.columns])
        self.rows = frame = self._without_missing(frame)
        counts: dict[str, Any] = {}
        n_rows = 0
        for name in self._policy.columns:
            counts[name] = self._count_values(frame, name)
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
            raise_error(error, {**self._policy.shown, **{sources[name].name: f'column "{name}"' for name in sources}})
        for message in said:
            warn(message)
        self.n_rows = n_rows
        with open(recipe, "rb") as file:
            self.files["recipe"] = file.read()

    def _count_values(self, frame: Any, name: str) -> Any:
        from pyspark.sql import functions as F

        counted = frame.groupBy(F.col(quoted(name))).agg(F.count(F.lit(1)).alias("count")).limit(MOST_VALUES + 1).toArrow()
        if counted.num_rows > MOST_VALUES:
            raise InputError(
                f'column "{name}" has more than {MOST_VALUES:,} different values, and the plan holds all of them: drop or coarsen it',
                column=name,
            )
        return counted.rename_columns(["value", "count"])

    def _sample(self, frame: Any) -> Any:
        """Different rows of quasi-identifiers, chosen by a hash of what they hold, and how many rows have each."""
        from pyspark.sql import functions as F

        columns = [F.col(quoted(name)) for name in self._quasi]
        hash_name, count_name = (free_name(name, self._quasi) for name in ("hash", "count"))
        hashed = frame.select(*columns, F.xxhash64(*columns).alias(hash_name))
        distinct = hashed.agg(F.approx_count_distinct(hash_name)).first()[0]
        bits = min(max((distinct // SAMPLE).bit_length() - 1, 0), MOST_BITS)
        if bits:
            hashed = hashed.where(F.shiftrightunsigned(F.col(hash_name), 64 - bits) == 0)
        sample = hashed.groupBy(*columns).agg(F.count(F.lit(1)).alias(count_name)).toArrow()
        if sample.num_rows == 0:
            raise SystemError_("the sample of rows is empty: the DataFrame gave other rows than before; persist() it")
        return sample
