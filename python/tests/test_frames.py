"""Tables in memory: whatever they come from, the release is that of the CSV file of the same values."""

from __future__ import annotations

import datetime
import decimal
import gc
from pathlib import Path
from typing import Any

import pytest

import covey
from conftest import PEOPLE, POLICY, published, write_csv

numpy = pytest.importorskip("numpy")
pyarrow = pytest.importorskip("pyarrow")

KEEP: dict[str, Any] = {"quasi": "id", "others": "insensitive", "privacy": covey.KAnonymity(2), "method": "mondrian", "seed": 1}


def release_of(data: Any, **keys: Any) -> dict[str, str]:
    return published(covey.anonymize(data, **{**KEEP, **keys}))


def with_ids(columns: dict[str, Any]) -> dict[str, Any]:
    n = len(next(iter(columns.values())))
    return {"id": [i // 2 for i in range(n)], **columns}


def expect_as_csv(table: Any, cells: dict[str, list[Any]], tmp_path: Path, **keys: Any) -> None:
    """The release of a table is that of the CSV file with these cells, which also stands in for it as the original."""
    path = write_csv(tmp_path / "same.csv", cells)
    release = covey.anonymize(table, **{**KEEP, **keys})
    assert published(release) == release_of(path, **keys)
    assert release.verify(table).faithful and release.verify(path).faithful


@pytest.mark.parametrize(
    ("values", "kind", "cells"),
    [
        ([1, None, -3, 2**62], pyarrow.int64(), [1, None, -3, 2**62]),
        ([1, 2, 255, 0], pyarrow.uint8(), [1, 2, 255, 0]),
        ([0.1, float("nan"), None, 1e-5], pyarrow.float64(), ["0.1", None, None, "0.00001"]),
        ([0.1, 2.0, 1e10, 3.5], pyarrow.float32(), ["0.1", "2.0", "10000000000.0", "3.5"]),
        (numpy.array([0.1, 65504, 6e-8, 2049], "f2"), pyarrow.float16(), ["0.1", "65500.0", "0.00000006", "2048.0"]),
        ([True, False, None, True], pyarrow.bool_(), ["true", "false", None, "true"]),
        ([decimal.Decimal("1.10"), None, decimal.Decimal("-0.05"), decimal.Decimal(7)], pyarrow.decimal128(10, 2), ["1.10", None, "-0.05", "7.00"]),
        ([decimal.Decimal("1.5")] * 4, pyarrow.decimal256(50, 1), ["1.5"] * 4),
        ([datetime.date(2024, 2, 29), None, datetime.date(1, 1, 1), datetime.date(9999, 12, 31)], pyarrow.date32(), ["2024-02-29", None, "0001-01-01", "9999-12-31"]),
        ([datetime.datetime(2024, 2, 29), None] * 2, pyarrow.timestamp("ns"), ["2024-02-29", None] * 2),
        ([datetime.datetime(2024, 2, 29, 1, 2, 3, 4000), datetime.datetime(1969, 1, 1)] * 2, pyarrow.timestamp("us"), ["2024-02-29 01:02:03.004", "1969-01-01 00:00:00.000"] * 2),
        ([datetime.datetime(2024, 1, 1, tzinfo=datetime.timezone.utc)] * 4, pyarrow.timestamp("s", "Europe/Berlin"), ["2024-01-01 00:00:00+00:00"] * 4),
        ([datetime.time(1, 2, 3), None] * 2, pyarrow.time32("s"), ["01:02:03", None] * 2),
        (["a", None, "", "ü😀"], pyarrow.string(), ["a", None, None, "ü😀"]),
        (["a, b", '"', "x\ny", "-"], pyarrow.large_string(), ["a, b", '"', "x\ny", "-"]),
        (["a", None, "longer than twelve bytes", "b"], pyarrow.string_view(), ["a", None, "longer than twelve bytes", "b"]),
        (["b", "a", None, "b"], pyarrow.dictionary(pyarrow.int8(), pyarrow.string()), ["b", "a", None, "b"]),
        (["b", "b", None, "a"], pyarrow.run_end_encoded(pyarrow.int32(), pyarrow.string()), ["b", "b", None, "a"]),
        ([None] * 4, pyarrow.null(), [None] * 4),
    ],
)  # fmt: skip
def test_every_type_is_written_as_csv_has_it(values: list[Any], kind: Any, cells: list[Any], tmp_path: Path) -> None:
    table = pyarrow.table(with_ids({"x": pyarrow.array(values, kind)}))
    expect_as_csv(table, with_ids({"x": cells}), tmp_path)


def test_chunks_and_slices_make_no_difference(tmp_path: Path) -> None:
    table = pyarrow.table(with_ids({"x": ["a", "b", None, "d", "e", "f", "g", "h"]}))
    pieces = pyarrow.concat_tables([table.slice(0, 3), table.slice(3, 1), table.slice(4, 0), table.slice(4)])
    assert release_of(pieces) == release_of(table)
    cut = pyarrow.table(with_ids({"x": ["a", "b", None, "d", "e", "f", "g", "h"]})).slice(2, 4)
    expect_as_csv(cut, {"id": [1, 1, 2, 2], "x": [None, "d", "e", "f"]}, tmp_path)
    encoded = pyarrow.table(with_ids({"x": table["x"].dictionary_encode()})).slice(2, 4)
    assert release_of(encoded) == release_of(cut)


def test_a_stream_is_read_once_and_is_enough() -> None:
    table = pyarrow.table(PEOPLE)
    reader = pyarrow.RecordBatchReader.from_batches(table.schema, table.to_batches(max_chunksize=5))
    assert published(covey.anonymize(reader, **POLICY)) == published(covey.anonymize(table, **POLICY))


def test_a_stream_that_fails_says_why() -> None:
    table = pyarrow.table(PEOPLE)

    def batches() -> Any:
        yield from table.to_batches()
        raise OSError("the wire was cut")

    with pytest.raises(covey.Error, match="the wire was cut"):
        covey.anonymize(pyarrow.RecordBatchReader.from_batches(table.schema, batches()), **POLICY)


@pytest.mark.parametrize(
    ("column", "said"),
    [
        (pyarrow.array([{"a": 1}] * 4), "struct"),
        (pyarrow.array([[1]] * 4), "list"),
        (pyarrow.array([b"x"] * 4), "binary"),
        (pyarrow.array([datetime.timedelta(1)] * 4), "duration"),
    ],
)
def test_nested_columns_are_named_unless_they_are_dropped(column: Any, said: str) -> None:
    table = pyarrow.table(with_ids({"x": column}))
    with pytest.raises(covey.InputError, match=said) as caught:
        covey.anonymize(table, **KEEP)
    assert caught.value.column == "x" and caught.value.file is None
    assert covey.anonymize(table, **{**KEEP, "others": "drop"}).verify()


def test_frames_without_rows_or_columns_are_refused() -> None:
    for empty in (pyarrow.table({"id": pyarrow.array([], pyarrow.int64())}), pyarrow.table({})):
        with pytest.raises(covey.InputError):
            covey.anonymize(empty, **KEEP)


def test_names_that_stand_twice_are_refused() -> None:
    twice = pyarrow.table([pyarrow.array([1]), pyarrow.array([2])], names=["id", "id"])
    with pytest.raises(covey.InputError, match="both called"):
        covey.anonymize(twice, **KEEP)


def test_a_lone_column_is_no_table() -> None:
    with pytest.raises(covey.InputError, match="no table"):
        covey.anonymize(pyarrow.chunked_array([[1, 2]]), **KEEP)


def test_rows_of_data_in_memory_are_numbered_from_one() -> None:
    table = pyarrow.table({"age": ["1", "2", "x"]})
    with pytest.raises(covey.InputError, match="<Table>:3:") as caught:
        covey.anonymize(table, attributes=[{"name": "age", "role": "quasi-identifier", "type": "integer"}], privacy=covey.KAnonymity(2))
    assert (caught.value.file, caught.value.row, caught.value.column) == (None, 3, "age")


def test_other_rows_of_data_in_memory_are_called_rows(tmp_path: Path) -> None:
    numbers = with_ids({"x": ["1", "2", "3", "x"]})
    far = with_ids({"x": ["1", "123456789012345678", "3", "0.25"]})
    lines = {"row": pyarrow.table, "line": lambda columns: write_csv(tmp_path / "lines.csv", columns)}
    for word, first in (("row", 0), ("line", 1)):
        with pytest.warns(covey.CoveyWarning, match=f"because of {word} {first + 4}:"):
            covey.anonymize(lines[word](numbers), quasi=["id", "x"], privacy=covey.KAnonymity(2))
        with pytest.raises(covey.InputError, match=f"beside 0.25 in {word} {first + 4} needs 20 digits") as caught:
            covey.anonymize(lines[word](far), quasi=["id", "x"], privacy=covey.KAnonymity(2))
        assert caught.value.row == first + 2
        with pytest.raises(covey.InputError, match=f"does not hold 1 in {word} {first + 3} of"):
            domain = [{"name": "id", "domain": [0, 0]}]
            covey.anonymize(lines[word](numbers), quasi="id", attributes=domain, others="drop", privacy=covey.KAnonymity(2))
        torn = {"p": [1, 1, 2, 2], "q": ["a", "b", "b", "a"], "s": ["u", "v", None, "u"]}
        with pytest.raises(covey.InputError, match=f"{word} {first + 3} is dropped for a missing value"):
            entity = [{"name": "p", "role": "entity"}]
            drop = {"missing-sensitive": "drop"}
            covey.anonymize(lines[word](torn), quasi="q", sensitive="s", attributes=entity, input=drop, privacy={"model": "sliced-l-diversity", "l": 1}, method="slicing")


def test_a_hundred_thousand_categories() -> None:
    n = 100_000
    table = pyarrow.table({"id": [i // 2 for i in range(n)], "x": [f"value {i}" for i in range(n)]})
    release = covey.anonymize(table, **KEEP, insensitive="x", attributes=[{"name": "x", "unique": "allowed"}])
    assert release.verify(table).faithful and release.table.num_rows == n


def test_inspect_and_measure_take_tables() -> None:
    table = pyarrow.table(PEOPLE)
    looked = covey.inspect(table)
    assert [column["name"] for column in looked.columns] == list(PEOPLE)
    assert "path" not in looked.policy().to_dict().get("input", {})
    release = covey.anonymize(table, **POLICY)
    assert release.measure(table)["ail"] > 0
    assert release.attack(table, names="homogeneity") and "<html" in release.report(original=table)
    assert covey.compare(table, options={"queries": 3, "method_time": 0.1}, quasi=["age"], others="drop", privacy=covey.KAnonymity(2)).methods


# ---- what comes out ----


def test_published_tables_have_types() -> None:
    table = pyarrow.table(
        {
            "age": [20, 20, 30, 30],
            "born": [datetime.date(1990, 1, 1), datetime.date(1990, 1, 1), None, None],
            "paid": [decimal.Decimal("1.50"), decimal.Decimal("2.25")] * 2,
            "note": ["x", None, "00345", "y"],
            "count": [1, 2, 3, 4],
        }
    )
    release = covey.anonymize(table, quasi="age", others="insensitive", privacy=covey.KAnonymity(2), seed=1)
    kinds = {field.name: field.type for field in release.table.schema}
    assert kinds["class"] == pyarrow.int64() and kinds["count"] == pyarrow.int64()
    assert kinds["born"] == pyarrow.date32() and kinds["paid"] == pyarrow.decimal128(18, 2)
    assert kinds["note"] == pyarrow.dictionary(pyarrow.int32(), pyarrow.string())
    assert kinds["age"] == kinds["note"]  # of a quasi-identifier labels and ranges
    rows = {tuple(row.values())[2:] for row in release.table.to_pylist()}
    assert rows == {tuple(row.values())[1:] for row in table.to_pylist()}
    again = pyarrow.table(release.stream("table"))
    release.close()
    gc.collect()
    assert again.num_rows == 4 and again["note"].null_count == 1


def test_forms_of_several_tables_give_all() -> None:
    release = covey.anonymize(pyarrow.table(PEOPLE), quasi="age", sensitive="disease", others="drop", privacy=covey.DistinctLDiversity(2), method="anatomy")
    assert set(release.tables) == {"quasi", "sensitive"}
    assert release.tables["sensitive"].column_names == ["group", "disease", "count"]
    with pytest.raises(covey.InputError, match="no table"):
        release.stream("table")


# ---- pandas and polars ----


def test_pandas_gives_the_same_release(people: str) -> None:
    pandas = pytest.importorskip("pandas")
    frame = pandas.DataFrame(PEOPLE)
    expected = published(covey.anonymize(people, **POLICY))
    for same in (
        frame,
        frame.set_index(frame.index + 17),
        frame.astype({"disease": "category", "zip": "category"}),
        frame.convert_dtypes(),
        pandas.concat([frame.iloc[:5], frame.iloc[5:]]),
    ):
        assert published(covey.anonymize(same, **POLICY)) == expected
    assert list(covey.anonymize(frame, **POLICY).to_pandas().columns) == ["class", *PEOPLE]


def test_polars_gives_the_same_release(people: str) -> None:
    polars = pytest.importorskip("polars")
    frame = polars.DataFrame(PEOPLE)
    release = covey.anonymize(frame, **POLICY)
    assert published(release) == published(covey.anonymize(people, **POLICY))
    assert published(covey.anonymize(frame.with_columns(polars.col("disease").cast(polars.Categorical)), **POLICY)) == published(release)
    assert release.to_polars().columns == ["class", *PEOPLE]


def test_missing_values_of_pandas_are_missing(tmp_path: Path) -> None:
    pandas = pytest.importorskip("pandas")
    frame = pandas.DataFrame(
        with_ids(
            {
                "number": [1.5, float("nan"), 2.0, None],
                "text": ["a", None, float("nan"), pandas.NA],
                "day": pandas.to_datetime(["2020-01-01", None, "2020-01-02", pandas.NaT]),
                "whole": pandas.array([1, None, 3, pandas.NA], dtype="Int64"),
                "month": pandas.PeriodIndex(["2020-01", None, "2020-01", "2020-03"], freq="M"),
                "sparse": pandas.arrays.SparseArray([0, 0, 1, 2]),
            }
        )
    )
    cells = {"number": ["1.5", None, "2.0", None], "text": ["a", None, None, None], "day": ["2020-01-01", None, "2020-01-02", None], "whole": [1, None, 3, None], "month": ["2020-01", None, "2020-01", "2020-03"], "sparse": [0, 0, 1, 2]}
    expect_as_csv(frame, with_ids(cells), tmp_path)


@pytest.mark.parametrize("kind", ["f2", "f4", "f8", ">f8", "category"])
def test_integers_with_gaps_stay_integers_in_pandas(kind: str, tmp_path: Path) -> None:
    pandas = pytest.importorskip("pandas")
    column = pandas.Series([21, None, -3, 2**11] * 2).astype(kind)
    frame = pandas.DataFrame(with_ids({"x": column, "y": column}))
    cells = [21, None, -3, 2**11] * 2
    expect_as_csv(frame, with_ids({"x": cells, "y": cells}), tmp_path, quasi=["id", "x"])
    assert [looked["type"] for looked in covey.inspect(frame).columns] == ["integer"] * 3


@pytest.mark.parametrize(
    ("values", "kind", "cells"),
    [
        ([21, None, 3.5, 4], "f8", ["21.0", None, "3.5", "4.0"]),
        ([21, 3, 4, 5], "f8", ["21.0", "3.0", "4.0", "5.0"]),
        ([21, None, 4, 5], "Float64", ["21.0", None, "4.0", "5.0"]),
        ([None] * 4, "f8", [None] * 4),
    ],
)
def test_other_floats_of_pandas_stay_decimals(values: list[Any], kind: str, cells: list[Any], tmp_path: Path) -> None:
    pandas = pytest.importorskip("pandas")
    expect_as_csv(pandas.DataFrame(with_ids({"x": pandas.Series(values, dtype=kind)})), with_ids({"x": cells}), tmp_path)


@pytest.mark.parametrize("words", [("False", "True"), ("FALSE", "TRUE"), ("false", "true")])
@pytest.mark.parametrize("role", ["quasi", "sensitive", "insensitive"])
def test_booleans_are_what_a_file_calls_them(words: tuple[str, str], role: str, tmp_path: Path) -> None:
    values = [None if i == 7 and role != "sensitive" else i % 3 == 0 for i in range(12)]
    path = write_csv(tmp_path / "words.csv", with_ids({"x": [None if value is None else words[value] for value in values]}))
    frame = pyarrow.table(with_ids({"x": values}))
    other = pyarrow.table(with_ids({"x": [value is False for value in values]}))
    keys: dict[str, Any] = {"quasi": ["id", "x"] if role == "quasi" else "id", "privacy": covey.KAnonymity(2), "method": "mondrian", "seed": 1}
    if role != "quasi":
        keys[role] = "x"
    for made_of in (frame, path):
        release = covey.anonymize(made_of, **keys)
        assert release.verify(frame).faithful and release.verify(path).faithful
        assert not release.verify(other).faithful


COMMAS: dict[str, Any] = {"decimal": ",", "date-format": "DD.MM.YYYY"}


@pytest.mark.parametrize("stated", ["input", "attributes"])
@pytest.mark.parametrize("is_text", [False, True])
def test_numbers_and_days_have_no_writing_that_a_policy_could_state(stated: str, is_text: bool, tmp_path: Path) -> None:
    pay, born = [1.234, None, 2.0, 21.5] * 3, [datetime.date(1960, 1 + i // 2, 5) for i in range(12)]
    written = [None if value is None else str(value).replace(".", ",") for value in pay]
    path = write_csv(tmp_path / "commas.csv", {"pay": written, "born": [f"{day:%d.%m.%Y}" for day in born], "n": list(range(12))})
    typed = pyarrow.table({"pay": written if is_text else pay, "born": pyarrow.array(born).dictionary_encode(), "n": list(range(12))})
    columns = [{"name": name, "role": "quasi-identifier"} for name in ("pay", "born", "n")]
    keys: dict[str, Any] = {"input": COMMAS}
    if stated == "attributes":
        keys = {}
        for column, form in zip(columns, COMMAS.items()):
            column.update([form])
    release = covey.anonymize(typed, attributes=columns, privacy=covey.KAnonymity(2), method="mondrian", seed=1, **keys)
    assert published(release) == published(covey.anonymize(path, attributes=columns, privacy=covey.KAnonymity(2), method="mondrian", seed=1, **keys))
    assert release.query("SELECT COUNT(*) WHERE pay < 22").answers[0]["upper"] == 9
    for original in (typed, path):
        assert release.verify(original).faithful


def test_a_release_of_integers_fits_what_pandas_reads_of_its_table(tmp_path: Path) -> None:
    pandas = pytest.importorskip("pandas")
    path = write_csv(tmp_path / "gaps.csv", with_ids({"x": [21, None, 3, 4, 5, 6, None, 8], "s": list("abcdabcd")}))
    release = covey.anonymize(path, quasi=["id", "x"], sensitive="s", privacy=covey.KAnonymity(2), seed=1)
    for original in (pandas.read_csv(path), pandas.read_csv(path, dtype={"x": "Float64"})):
        assert release.verify(original).faithful
        assert release.measure(original)["ail"] == release.measure(path)["ail"]
        assert release.attack(original, "homogeneity") == release.attack(path, "homogeneity")


def test_intervals_of_pandas_are_as_they_are_shown(tmp_path: Path) -> None:
    pandas = pytest.importorskip("pandas")
    parts = pandas.cut([1.0, float("nan"), 2.0, 8.0], [0, 4, 8])
    months = pandas.Categorical(pandas.PeriodIndex(["2020-01", None, "2020-01", "2020-03"], freq="M"))
    frame = pandas.DataFrame(with_ids({"part": parts, "month": months}))
    cells = {"part": ["(0, 4]", None, "(0, 4]", "(4, 8]"], "month": ["2020-01", None, "2020-01", "2020-03"]}
    expect_as_csv(frame, with_ids(cells), tmp_path)


@pytest.mark.parametrize("value", [10**30, "\ud800"])
def test_what_arrow_cannot_hold_is_named(value: Any) -> None:
    pandas = pytest.importorskip("pandas")
    with pytest.raises(covey.InputError) as caught:
        # As objects: of texts that are not Unicode the text columns of newer pandas hold none themselves.
        covey.anonymize(pandas.DataFrame(with_ids({"x": [value] * 4}), dtype=object), **KEEP)
    assert caught.value.column == "x"


def test_mixed_objects_of_pandas_are_named() -> None:
    pandas = pytest.importorskip("pandas")
    frame = pandas.DataFrame(with_ids({"x": [1, "a", None, 2.5]}))
    with pytest.raises(covey.InputError, match="str") as caught:
        covey.anonymize(frame, **KEEP)
    assert caught.value.column == "x"
    twice = pandas.DataFrame([[1, 2]], columns=["id", "id"])
    with pytest.raises(covey.InputError, match="id"):
        covey.anonymize(twice, **KEEP)


def test_the_order_of_bytes_is_no_matter() -> None:
    pandas = pytest.importorskip("pandas")
    for kind in ("i4", "u8", "f4", "f8"):
        little, big = (pandas.DataFrame(with_ids({"x": numpy.array([1, 2, 1, 2], order + kind)})) for order in "<>")
        assert release_of(big) == release_of(little)


def test_no_time_is_lost_beside_dates() -> None:
    pandas = pytest.importorskip("pandas")
    day, time = datetime.date(2024, 2, 29), datetime.datetime(2024, 2, 29, 12, 30)
    for values in ([day, time], [time, day], [time, time.replace(tzinfo=datetime.timezone.utc)], [day, numpy.datetime64("2024-02-29T12")]):
        with pytest.raises(covey.InputError, match="different or unknown types") as caught:
            covey.anonymize(pandas.DataFrame(with_ids({"x": pandas.Series(values * 2, dtype=object)})), **KEEP)
        assert caught.value.column == "x"
    assert release_of(pandas.DataFrame(with_ids({"x": pandas.Series([day, None] * 2, dtype=object)})))


def test_names_of_columns_in_memory_stand_on_no_row() -> None:
    for table, said in ((pyarrow.table({"id": pyarrow.array([], pyarrow.int64())}), "not a single row"), (pyarrow.table({"id": [1, 1], "class": [1, 2]}), "rename yours")):
        with pytest.raises(covey.InputError, match=f"^<Table>: .*{said}") as caught:
            covey.anonymize(table, **KEEP)
        assert caught.value.row is None


def test_a_stream_that_is_none_is_an_input_error() -> None:
    class Table:
        def __arrow_c_stream__(self, requested_schema: object | None = None) -> object:
            return 5

    with pytest.raises(covey.InputError, match="gives int"):
        covey.anonymize(Table(), **KEEP)


def test_any_table_through_any_library_gives_one_release(tmp_path: Path) -> None:
    hypothesis = pytest.importorskip("hypothesis")
    pandas = pytest.importorskip("pandas")
    polars = pytest.importorskip("polars")
    st = hypothesis.strategies
    text = st.text(st.characters(exclude_categories=("Cs", "Cc"), exclude_characters="\ufeff"), max_size=20)
    kinds = st.sampled_from(
        [
            st.integers(-(10**17), 10**17),
            st.integers(0, 3),
            st.floats(-1e6, 1e6, allow_subnormal=False).map(lambda x: round(x, 4)),
            text.filter(lambda t: t != "null"),
            st.dates(),
            st.decimals(-1000, 1000, places=2, allow_nan=False),
            st.booleans(),
        ]
    )

    def cell(value: Any) -> Any:
        if isinstance(value, bool):
            return str(value).lower()
        if isinstance(value, float):
            return f"{decimal.Decimal(repr(value)):f}"
        return value

    @hypothesis.settings(max_examples=60, deadline=None, database=None, suppress_health_check=list(hypothesis.HealthCheck))
    @hypothesis.given(st.data())
    def law(data: Any) -> None:
        n = data.draw(st.integers(2, 30))
        columns: dict[str, list[Any]] = {"id": [i // 2 for i in range(n)]}
        for name in "ab"[: data.draw(st.integers(1, 2))]:
            kind = data.draw(kinds)
            columns[name] = data.draw(st.lists(st.none() | kind, min_size=n, max_size=n))
        if n % 2:
            columns["id"][-1] = columns["id"][-2]
        table = pyarrow.table(columns)
        unique = [{"name": name, "unique": "allowed"} for name in columns if name != "id"]
        keys: dict[str, Any] = {"attributes": unique, "insensitive": [name for name in columns if name != "id"], "others": "drop"}
        expected = release_of(table, **keys)
        cells = {name: [cell(value) for value in values] for name, values in columns.items()}
        assert release_of(write_csv(tmp_path / "law.csv", cells), **keys) == expected
        assert release_of(polars.DataFrame(columns, strict=False), **keys) == expected
        assert release_of(table.to_pandas(types_mapper=pandas.ArrowDtype), **keys) == expected
        plain = table.to_pandas(date_as_object=True, integer_object_nulls=True)
        for name, values in columns.items():  # these floats are integers for pandas
            if plain[name].dtype == float and None in values and all(value is None or value % 1 == 0 for value in values):
                cells[name] = [value if value is None else int(value) for value in values]
        assert release_of(plain, **keys) == release_of(write_csv(tmp_path / "law.csv", cells), **keys)

    law()


def test_duckdb_and_nanoarrow_give_the_same_release(people: str) -> None:
    expected = release_of(people, quasi="age")
    duckdb = pytest.importorskip("duckdb")
    relation = duckdb.sql(f"SELECT age::BIGINT AS age, zip, income::VARCHAR AS income, disease FROM read_csv('{people}', all_varchar=true)")
    assert release_of(relation, quasi="age") == expected
    nanoarrow = pytest.importorskip("nanoarrow")
    stream = nanoarrow.ArrayStream(pyarrow.table(PEOPLE))
    assert release_of(stream, quasi="age") == expected


@pytest.mark.parametrize("form", ["generalized", "bucketized"])
def test_a_table_in_several_files_is_one(form: str, command: Any, tmp_path: Path) -> None:
    columns = {"q": [row // 3 for row in range(60)], "r": [row % 5 for row in range(60)], "s": [f"s{row % 7}" for row in range(60)]}
    data = write_csv(tmp_path / "data.csv", columns)
    words = ["anonymize", data, "--quasi", "q,r", "--sensitive", "s", "--seed", "4"]
    words += ["--method", "mondrian", "--model", "k-anonymity:k=4"] if form == "generalized" else ["--method", "anatomy", "--model", "distinct-l-diversity:l=3"]
    assert command(*words, "-o", str(tmp_path / "one"))[0] == 0
    assert command(*words, "--files", "4", "-o", str(tmp_path / "many"))[0] == 0
    one, many = covey.open(tmp_path / "one"), covey.open(tmp_path / "many")
    assert len(list((tmp_path / "many").glob("*-0000?.csv"))) > 2
    assert many.form == form and many.table_names == one.table_names
    for name, table in one.tables.items():
        assert many.tables[name].to_pylist() == table.to_pylist()
    sql = "SELECT COUNT(*) WHERE r < 3"
    assert many.query(sql).answers == one.query(sql).answers and many.verify(data).faithful
    saved = many.save(tmp_path / "saved")
    assert saved.verify() and saved.table.to_pylist() == one.table.to_pylist()
    many.save(tmp_path / "saved", force=True)


@pytest.mark.parametrize("cells", [[1, "x", [2], None], [10**30, 1, 2, 3], [{"a": 1}, 2, "b", 4]])
def test_what_is_in_a_dropped_column_is_no_matter(cells: list[Any]) -> None:
    pandas = pytest.importorskip("pandas")
    frame = pandas.DataFrame({"age": [20, 20, 30, 30], "more": cells})
    for keys in ({"others": "drop"}, {"identifier": "more"}, {"attributes": [{"name": "more", "role": "identifier"}]}):
        release = covey.anonymize(frame, quasi=["age"], privacy=[covey.KAnonymity(2)], **keys)
        assert release.verify(frame.drop(columns="more") if "others" in keys else None)
        assert release.table.column_names == ["class", "age"]
    with pytest.raises(covey.InputError, match='column "more"'):
        covey.anonymize(frame, quasi=["age"], insensitive="more", privacy=[covey.KAnonymity(2)])
