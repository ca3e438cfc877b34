"""Files of other programs: what is in them comes back, and what is wrong with them is said."""

from __future__ import annotations

import datetime
import gzip
import json
import os
import subprocess
import sys
import zipfile
from pathlib import Path
from typing import Any

import pytest

import covey

pyarrow = pytest.importorskip("pyarrow")
pandas = pytest.importorskip("pandas")
pyreadstat = pytest.importorskip("pyreadstat")
pytest.importorskip("python_calamine")
xlsxwriter = pytest.importorskip("xlsxwriter")
from covey._files import ods, writing  # noqa: E402
from covey._files.labels import Codebook  # noqa: E402

ROWS = 60
SEX = {1: "male", 2: "female"}
SCHOOL = {1: "none", 2: "school", 3: "college"}
DAY = datetime.date(2020, 2, 29)


def survey() -> Any:
    """Ages from 20 to 39 and some 99, two labelled columns, a text, a number, a date."""
    return pandas.DataFrame(
        {
            "person": range(ROWS),
            "sex": [1 + row % 2 for row in range(ROWS)],
            "age": [99 if row % 20 == 7 else 20 + row % 20 for row in range(ROWS)],
            "school": [1 + row % 3 for row in range(ROWS)],
            "weight": [row / 4 for row in range(ROWS)],
            "town": [None if row == 5 else "Äland" if row % 2 else "x,y" for row in range(ROWS)],
            "day": [DAY + datetime.timedelta(row) for row in range(ROWS)],
        }
    )


NAMES = ["person", "sex", "age", "school", "weight", "town", "day"]
LABELS = {"sex": "Sex of the person", "age": "Age in years"}
VALUE_LABELS: dict[str, dict[int, str]] = {"sex": SEX, "school": SCHOOL, "age": {99: "refused"}}
POLICY: dict[str, Any] = {
    "quasi": {"sex": None, "age": None, "school": None},
    "sensitive": "town",
    "input": {"missing-sensitive": "value"},
    "identifier": ["person"],
    "insensitive": ["weight", "day"],
    "attributes": [{"name": "weight", "unique": "allowed"}, {"name": "day", "unique": "allowed"}],
    "privacy": [{"model": "k-anonymity", "k": 4}],
    "method": "mondrian",
}


def write_survey(path: Path) -> str:
    pyreadstat.write_sav(
        survey(),
        str(path),
        file_label="A survey",
        column_labels=LABELS,
        variable_value_labels=VALUE_LABELS,
        missing_ranges={"age": [99]},
        variable_measure={"sex": "nominal"},
        variable_format={"age": "F3.0"},
    )
    return str(path)


@pytest.fixture
def sav(tmp_path: Path) -> str:
    return write_survey(tmp_path / "survey.sav")


@pytest.fixture(scope="module")
def release(tmp_path_factory: pytest.TempPathFactory) -> covey.Release:
    """Of the survey."""
    with pytest.warns(covey.CoveyWarning):  # no promise is about the town
        return covey.anonymize(write_survey(tmp_path_factory.mktemp("survey") / "survey.sav"), POLICY)


@pytest.fixture(scope="module")
def written(release: covey.Release, tmp_path_factory: pytest.TempPathFactory, request: pytest.FixtureRequest) -> Path:
    """The release as a file that ends so."""
    path = tmp_path_factory.mktemp("written") / f"release.{request.param}"
    assert release.write(path) == str(path)
    return path


@pytest.fixture(scope="module")
def table(written: Path) -> Any:
    """What is in that file."""
    return covey.read(written)


def written_as(*endings: str) -> Any:
    return pytest.mark.parametrize("written", endings, indirect=True)


def run(*words: str, cwd: Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run([sys.executable, "-m", "covey", *words], cwd=cwd, capture_output=True, text=True)


def facts(table: Any, name: str, key: str) -> Any:
    return json.loads(table.field(name).metadata[f"covey.{key}".encode()])


def check_values(table: Any, refused: int | None) -> None:
    assert table.column_names == NAMES
    frame = survey()
    assert table["sex"].to_pylist() == list(frame["sex"])
    assert table["age"].to_pylist() == [refused if age == 99 else age for age in frame["age"]]
    assert table["weight"].to_pylist() == list(frame["weight"])
    assert table["day"].to_pylist() == list(frame["day"])
    assert [town or None for town in table["town"].to_pylist()] == [
        None if row == 5 else "Äland" if row % 2 else "x,y" for row in range(ROWS)
    ]
    assert table.schema.field("sex").type == pyarrow.int64() and table.schema.field("day").type == pyarrow.date32()


def test_spss_gives_labels_missing_codes_formats_and_order(sav: str) -> None:
    table = covey.read(sav)
    check_values(table, None)
    assert table.field("sex").metadata[b"covey.label"] == b"Sex of the person"
    assert facts(table, "sex", "value_labels") == {"1": "male", "2": "female"}
    assert facts(table, "age", "missing") == [{"lo": 99, "hi": 99}]
    assert table.field("age").metadata[b"covey.format"] == b"F3.0"
    assert table.schema.metadata[b"covey.file_label"] == b"A survey"
    check_values(covey.read(sav, user_missing=True), 99)
    assert covey.read(sav, columns=["age"]).column_names == ["age"]


@pytest.mark.parametrize("ending", ["dta", "xpt"])
def test_stata_and_sas_give_labels(tmp_path: Path, ending: str) -> None:
    path = str(tmp_path / f"survey.{ending}")
    if ending == "dta":
        pyreadstat.write_dta(survey(), path, column_labels=LABELS, variable_value_labels=VALUE_LABELS)
    else:
        pyreadstat.write_xport(survey(), path, column_labels=LABELS)
    table = covey.read(path)
    check_values(table, 99)
    assert table.field("sex").metadata[b"covey.label"] == b"Sex of the person"
    assert ending == "xpt" or facts(table, "school", "value_labels") == {"1": "none", "2": "school", "3": "college"}


def test_missing_letters_of_stata_are_missing_values(tmp_path: Path) -> None:
    path = str(tmp_path / "letters.dta")
    frame = pandas.DataFrame({"x": pandas.Series([1, "a", 3], dtype=object)})
    pyreadstat.write_dta(frame, path, missing_user_values={"x": ["a"]})
    assert covey.read(path)["x"].to_pylist() == [1, None, 3]
    assert covey.read(path, user_missing=True)["x"].to_pylist() == ["1", "a", "3"]


def unpacked(folder: Path, name: str) -> str:
    """A file that SAS has written (python/tests/data/README.md)."""
    path = folder / name
    path.write_bytes(gzip.decompress((Path(__file__).parent / "data" / f"{name}.gz").read_bytes()))
    return str(path)


def test_sas_data_sets_are_read_with_their_catalog(tmp_path: Path) -> None:
    table = covey.read(unpacked(tmp_path, "sample.sas7bdat"))
    assert table.num_rows == 5 and table["mychar"].to_pylist() == list("abcde")
    assert table["mydate"].to_pylist()[:2] == [datetime.date(2018, 5, 6), datetime.date(1880, 5, 6)]
    data, catalog = unpacked(tmp_path, "labelled.sas7bdat"), unpacked(tmp_path, "labelled.sas7bcat")
    table = covey.read(data, catalog=catalog)
    assert facts(table, "SEXA", "value_labels") == {"1": "Male", "2": "Female"}
    assert table["SEXA"].to_pylist() == covey.read(data)["SEXA"].to_pylist()
    with pytest.raises(covey.InputError):
        covey.read(data, catalog=str(tmp_path / "no.sas7bcat"))
    with pytest.raises(covey.InputError, match="are read, not written; write .xpt"):
        writing.write(table, Codebook({}), str(tmp_path / "out.sas7bdat"), False)


def test_excel_files_of_2003_are_read(tmp_path: Path) -> None:
    xlwt = pytest.importorskip("xlwt")
    path, day = tmp_path / "survey.xls", xlwt.XFStyle()
    day.num_format_str = "yyyy-mm-dd"
    book = xlwt.Workbook()
    sheet = book.add_sheet("first")
    rows = [NAMES, *([None if cell != cell else cell for cell in row] for row in survey().itertuples(index=False))]
    for at, row in enumerate(rows):
        for column, cell in enumerate(row):
            if cell is not None:
                sheet.write(at, column, cell, *([day] if isinstance(cell, datetime.date) else []))
    book.save(str(path))
    check_values(covey.read(path), 99)


@pytest.mark.parametrize("ending", ["xlsx", "ods"])
def test_spreadsheets_have_types_and_sheets(tmp_path: Path, ending: str) -> None:
    path = tmp_path / f"survey.{ending}"
    rows = [NAMES, *([None if cell != cell else cell for cell in row] for row in survey().itertuples(index=False))]
    if ending == "ods":
        ods.write(str(path), {"first": rows, "other": [["a"], [1], ["x"], ["<b>  two\nlines\x01"], [None]]})
    else:
        with pandas.ExcelWriter(path, engine="xlsxwriter") as writer:
            survey().to_excel(writer, sheet_name="first", index=False)
            pandas.DataFrame({"a": [1, "x", "<b>  two\nlines"]}).to_excel(writer, sheet_name="other", index=False)
    check_values(covey.read(path), 99)
    assert covey.read(path, sheet="other")["a"].to_pylist()[:2] == ["1", "x"]
    assert covey.read(path, sheet="other")["a"].to_pylist()[2].startswith("<b>  two\nlines")
    with pytest.raises(covey.InputError, match='no sheet "third"; it has first, other'):
        covey.read(path, sheet="third")


@pytest.mark.parametrize(
    ("rows", "row", "words"),
    [
        ([], None, "the sheet is empty"),
        ([[None], ["a", "b"], [1, 2]], 1, "row 1 is empty, but must name the columns"),
        ([["a", None, "c"], [1, 2, 3]], 1, "column 2 has no name"),
        ([["a", "a"], [1, 2]], 1, "two columns have this name"),
        ([["a", "b"], [1, 2], [3, 4, 5]], 3, "row 3 has a value beside the last column, which is b"),
    ],
)
def test_a_sheet_that_is_no_table_is_told_with_its_row(
    tmp_path: Path, rows: list[list[object]], row: int | None, words: str
) -> None:
    path = tmp_path / "t.ods"
    ods.write(str(path), {"first": rows})
    with pytest.raises(covey.InputError, match=words) as refused:
        covey.read(path)
    assert (refused.value.file, refused.value.row) == (str(path), row)


def changed(path: Path, part: str, old: bytes, new: bytes) -> None:
    """Puts other bytes into a file of a zip archive."""
    with zipfile.ZipFile(path) as archive:
        parts = {name: archive.read(name) for name in archive.namelist()}
    assert old in parts[part]
    parts[part] = parts[part].replace(old, new)
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, held in parts.items():
            archive.writestr(name, held)


def test_a_formula_without_a_result_is_no_missing_value(tmp_path: Path) -> None:
    path = tmp_path / "t.xlsx"
    with xlsxwriter.Workbook(str(path)) as book:
        sheet, other = book.add_worksheet("other & more"), book.add_worksheet("pay")
        sheet.write_row(0, 0, ["a"])
        sheet.write_row(1, 0, [1])
        other.write_row(0, 0, ["a", "b"])
        for row in range(1, 4):
            other.write_number(row, 0, row)
            other.write_formula(row, 1, f"=A{row + 1}*2", None, 2 * row if row < 3 else "")
    assert covey.read(path, sheet=0).to_pydict() == {"a": [1]}
    for sheet_of in ("pay", 1):
        with pytest.raises(covey.InputError, match='sheet "pay", cell B4: the formula has no result') as refused:
            covey.read(path, sheet=sheet_of)
        assert (refused.value.file, refused.value.row, refused.value.column) == (str(path), 4, 2)
    changed(path, "xl/worksheets/sheet2.xml", b'<c r="B4"><f>', b'<c r="B4" t="str"><f>')  # the empty text is one
    assert covey.read(path, sheet="pay").to_pydict() == {"a": [1, 2, 3], "b": [2, 4, None]}


def test_so_it_is_in_an_open_document(tmp_path: Path) -> None:
    path = tmp_path / "t.ods"
    ods.write(str(path), {"first": [["a", "b"], [1, 2], [3, None]], "second": [["a"], [1]]})
    assert covey.read(path)["b"].to_pylist() == [2, None]
    changed(path, "content.xml", b"<table:table-cell/>", b'<table:table-cell table:formula="of:=[.A3]*2"/>')
    with pytest.raises(covey.InputError, match='sheet "first", cell B3') as refused:
        covey.read(path)
    assert refused.value.row == 3
    assert covey.read(path, sheet="second").to_pydict() == {"a": [1]}
    with pytest.raises(covey.InputError, match="cell B3"):
        covey.inspect(path)


def test_rows_above_the_names_are_skipped_where_asked(tmp_path: Path) -> None:
    path = tmp_path / "t.ods"
    ods.write(str(path), {"first": [[None], ["a", "b"], [1, 2]]})
    assert covey.read(path, skip_rows=1).to_pydict() == {"a": [1], "b": [2]}


@pytest.mark.parametrize("ending", ["parquet", "feather", "csv", "csv.gz"])
def test_columnar_files_and_csv_keep_their_types(tmp_path: Path, ending: str) -> None:
    path, frame = str(tmp_path / f"survey.{ending}"), survey()
    if ending in ("parquet", "feather"):
        frame["day"] = frame["day"].astype("date32[pyarrow]")
        getattr(frame, f"to_{ending}")(path)
    else:
        frame.to_csv(path, index=False)
    table = covey.read(path)
    check_values(table.set_column(4, "weight", table["weight"].cast(pyarrow.float64())), 99)


def test_csv_is_typed_as_covey_types_it(tmp_path: Path) -> None:
    path = tmp_path / "t.csv"
    path.write_text('zip;x;note\n01234;1.50;"a\nb"\n02000;-;c\n')
    table = covey.read(path, null=["-"])
    assert table["zip"].to_pylist() == ["01234", "02000"] and table["note"].to_pylist() == ["a\nb", "c"]
    assert [None if x is None else str(x) for x in table["x"].to_pylist()] == ["1.50", None]


@written_as("sav", "zsav", "dta", "xpt", "xlsx", "ods", "parquet", "feather", "csv", "csv.zst")
def test_a_release_is_written_as_its_input_was(release: covey.Release, written: Path, table: Any) -> None:
    shown, ending = release.table, written.name.partition(".")[2]
    assert table.column_names == ["class", "sex", "age", "school", "weight", "town", "day"]
    assert len(table["class"].unique()) == len(shown["class"].unique())
    assert sorted(table["day"].to_pylist()) == sorted(survey()["day"])
    assert os.stat(written).st_mode & 0o777 == 0o600
    if ending in ("sav", "zsav", "dta"):
        labels = facts(table, "school", "value_labels")
        words = [labels[str(code)] for code in table["school"].to_pylist()]
        assert {"[none, college]", "[none, school]", "none"} & set(words)
        assert [word == "none" for word in words] == [cell == "1" for cell in map(str, shown["school"].to_pylist())]
        assert table["age"].to_pylist() == [str(cell) if cell is not None else "" for cell in shown["age"].to_pylist()]
    if ending not in ("csv", "csv.zst", "xlsx", "ods"):
        assert table.field("sex").metadata[b"covey.label"] == b"Sex of the person"


def test_labels_of_values_that_are_not_published_are_not_written(tmp_path: Path) -> None:
    """Stata's encode makes labels of the values themselves, also of those that nobody may see."""
    path, out = str(tmp_path / "names.dta"), tmp_path / "out.dta"
    frame = pandas.DataFrame({"name": range(12), "q": [1, 2] * 6})
    pyreadstat.write_dta(
        frame,
        path,
        variable_value_labels={"name": {i: f"secret {i}" for i in range(12)}, "q": {1: "a", 2: "b", 3: "secret"}},
    )
    release = covey.anonymize(
        path, identifier="name", quasi="q", privacy=[{"model": "k-anonymity", "k": 3}], method="mondrian"
    )
    release.write(out)
    assert release.manifest["codebook"]["columns"]["q"]["value_labels"] == {"1": "a", "2": "b"}
    assert "secret" not in json.dumps(release.manifest) and "secret" not in release.report(original=path)
    assert b"secret" not in out.read_bytes()
    parquet = tmp_path / "out.parquet"
    release.write(parquet)
    assert b"secret" not in parquet.read_bytes()


def labels_of_cells(labels: dict[int, str], lines: int, suppressed: Any, **keys: Any) -> tuple[dict[str, str], set[str]]:
    """What the manifest says of a labelled column x that a policy publishes somehow, and the cells of x."""
    frame = pandas.DataFrame({"x": [1 + row % lines for row in range(60)], "y": [row % 7 for row in range(60)], "s": ["u", "v", "w"] * 20})
    table = pyarrow.Table.from_pandas(frame, preserve_index=False)
    metadata = {b"covey.label": b"X", b"covey.value_labels": json.dumps(labels).encode(), b"covey.missing": b"[77]"}
    table = table.cast(pyarrow.schema([table.schema.field("x").with_metadata(metadata), *list(table.schema)[1:]]))
    release = covey.anonymize(table, sensitive="s", seed=2, suppression=suppressed, **keys)
    facts = release.manifest["codebook"]["columns"]["x"]
    assert facts["label"] == "X" and facts["missing"] == [77] and facts["free_code"] == 100
    return facts["value_labels"], set(map(str, release.tables[release.table_names[0]]["x"].to_pylist()))


@pytest.mark.parametrize(
    ("keys", "shown"),
    [
        ({"quasi": {"x": {"cuts": [[3]]}, "y": None}, "method": "mondrian", "privacy": covey.KAnonymity(20)}, set()),
        ({"quasi": {"x": {"cuts": [[3]]}, "y": None}, "method": "mondrian", "privacy": covey.KAnonymity(60)}, set()),
        ({"quasi": ["x", "y"], "method": "mondrian", "privacy": covey.KAnonymity(60)}, {"1", "4"}),
        ({"quasi": ["x"], "others": "drop", "method": "mondrian", "privacy": covey.KAnonymity(15)}, {"1", "2", "3", "4"}),
        ({"quasi": {"x": {"1": ["o", "*"], "2": ["o", "*"], "3": ["p", "*"], "4": ["p", "*"]}, "y": None}, "method": "mondrian", "privacy": covey.KAnonymity(30)}, set()),
        ({"quasi": ["x", "y"], "attributes": [{"name": "x", "type": "text"}], "method": "mondrian", "privacy": covey.KAnonymity(60)}, {"1", "2", "3", "4"}),
        ({"quasi": ["y"], "insensitive": "x", "method": "mondrian", "privacy": covey.KAnonymity(60)}, {"1", "2", "3", "4"}),
        ({"quasi": ["x", "y"], "method": "anatomy", "privacy": covey.DistinctLDiversity(3)}, {"1", "2", "3", "4"}),
        ({"quasi": ["x", "y"], "method": "slicing", "privacy": {"model": "sliced-l-diversity", "l": 2}}, {"1", "2", "3", "4"}),
    ],
)  # fmt: skip
@pytest.mark.filterwarnings("ignore::covey.CoveyWarning")
def test_the_manifest_has_labels_of_what_cells_name(keys: dict[str, Any], shown: set[str]) -> None:
    labels = {1: "one", 2: "two", 3: "three", 4: "four", 5: "nobody", 77: "refused"}
    found, cells = labels_of_cells(labels, 4, 0, **keys)
    assert set(found) == shown | {"77"}
    assert all(any(value in cell for cell in cells) for value in shown)


@written_as("sav")
def test_a_release_that_was_opened_has_its_labels(release: covey.Release, table: Any, sav: str, tmp_path: Path) -> None:
    release.save(tmp_path / "release")
    release = covey.open(tmp_path / "release")
    release.write(tmp_path / "opened.sav")
    release.write(tmp_path / "like.sav", like=sav)
    opened = covey.read(tmp_path / "opened.sav")
    assert opened.equals(table, check_metadata=True)
    assert covey.read(tmp_path / "like.sav").field("sex").metadata[b"covey.label"] == b"Sex of the person"
    # A code of the release's own is none that the input had, whether its label was published or not.
    new = set(facts(opened, "school", "value_labels")) - {"1", "2", "3"}
    assert new and all(int(code) >= 10 for code in new)


def test_codes_are_ordered_categories_where_asked(release: covey.Release) -> None:
    frame, plain = release.to_pandas(labels=True), release.to_pandas()
    assert set(frame["sex"].cat.categories) <= {"male", "female", "[male, female]"} and frame["sex"].cat.ordered
    order = list(frame["school"].cat.categories)
    known = ["[none, college]", "[none, school]", "none", "[school, college]", "school", "college"]
    assert order == [label for label in known if label in order] and frame["school"].cat.ordered
    assert list(frame["school"] == "none") == [cell.left == cell.right == 1 for cell in plain["school"]]
    assert frame["age"].equals(plain["age"]) and frame["day"].equals(plain["day"])
    polars = pytest.importorskip("polars")
    table = release.to_polars(labels=True)
    assert table["school"].dtype == polars.Enum(order) and table["school"].to_list() == list(frame["school"])


def test_the_report_has_labels(sav: str) -> None:
    release = covey.anonymize(sav, {**POLICY, "quasi": ["age", "town"], "sensitive": "school", "insensitive": ["weight", "day", "sex"], "input": {}})
    report = release.report()
    assert "sex: Sex of the person" in report and "college (3)" in report
    assert json.loads(release.report(format="json"))["columns"][0]["label"] == "Sex of the person"


def test_inspect_shows_labels(sav: str) -> None:
    columns = {column["name"]: column for column in covey.inspect(sav).columns}
    assert columns["sex"]["label"] == "Sex of the person" and columns["sex"]["value_labels"] == {
        "1": "male",
        "2": "female",
    }
    assert columns["age"]["missing_values"] == [{"lo": 99, "hi": 99}] and columns["age"]["missing"] == 3 and "label" not in columns["town"]
    assert covey.inspect(covey.read(sav)).columns[1]["label"] == "Sex of the person"


def test_the_command_shows_labels(sav: str) -> None:
    said = run("inspect", sav, cwd=Path(sav).parent).stdout
    assert "Sex of the person" in said and "  school: 1 none, 2 school, 3 college\n" in said


def test_a_file_gives_the_release_of_its_csv(sav: str, tmp_path: Path) -> None:
    path = tmp_path / "survey.csv"
    covey.read(sav).to_pandas().astype({"age": "Int64"}).to_csv(path, index=False)
    with pytest.warns(covey.CoveyWarning):
        one, other = covey.anonymize(sav, POLICY, seed=3), covey.anonymize(path, POLICY, seed=3)
    assert one.manifest["files"] == other.manifest["files"]
    assert one.verify(original=sav).faithful and one.verify(original=str(path)).faithful


def test_the_command_takes_files_like_csv(sav: str, tmp_path: Path) -> None:
    (tmp_path / "sub").mkdir()
    os.rename(sav, tmp_path / "sub" / "survey.sav")
    (tmp_path / "sub" / "policy.yaml").write_text(
        "version: 1\ninput: {path: survey.sav}\nothers: drop\nattributes:\n- {name: age, role: quasi-identifier}\n"
        "- {name: sex, role: quasi-identifier}\nprivacy:\n- {model: k-anonymity, k: 3}\nmethod: {name: mondrian}\n"
    )
    done = run("anonymize", "sub/policy.yaml", "-o", "release", cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    done = run("verify", "release", "--original", "sub/survey.sav", cwd=tmp_path)
    assert done.returncode == 0, done.stdout + done.stderr
    assert sorted(os.listdir(tmp_path)) == ["release", "sub"] and sorted(os.listdir(tmp_path / "sub")) == [
        "policy.yaml",
        "survey.sav",
    ]


def test_the_command_says_what_is_wrong_with_a_file(tmp_path: Path) -> None:
    (tmp_path / "bad.sav").write_bytes(b"$FL2" + bytes(200))
    done = run("inspect", "bad.sav", cwd=tmp_path)
    assert done.returncode == 2 and done.stderr.startswith("covey: bad.sav: cannot be read") and done.stdout == ""


@pytest.mark.parametrize(
    "name", ["a.sav", "a.dta", "a.xpt", "a.sas7bdat", "a.xlsx", "a.xls", "a.ods", "a.parquet", "a.feather", "a.csv"]
)
def test_empty_files_are_said_to_be_empty(tmp_path: Path, name: str) -> None:
    (tmp_path / name).write_bytes(b"")
    with pytest.raises(covey.InputError, match="empty") as caught:
        covey.read(tmp_path / name)
    assert caught.value.file == str(tmp_path / name)


def test_wrong_names_and_options_are_refused(sav: str, tmp_path: Path) -> None:
    (tmp_path / "text.sav").write_text("a,b\n1,2\n")
    with pytest.raises(covey.InputError, match=r"is no SPSS file, whatever its name says; .* call it \.csv"):
        covey.read(tmp_path / "text.sav")
    os.rename(sav, tmp_path / "survey.csv")
    check_values(covey.read(tmp_path / "survey.csv"), None)  # its content decides
    with pytest.raises(covey.InputError, match='has no option "sheet"; it has user_missing'):
        covey.read(tmp_path / "survey.csv", sheet=1)
    with pytest.raises(covey.InputError, match="No such file"):
        covey.read(tmp_path / "nowhere.sav")
    with pytest.raises(covey.InputError, match="is no regular file"):
        covey.read(tmp_path)


def test_what_cannot_be_written_is_refused_and_leaves_nothing(release: covey.Release, sav: str, tmp_path: Path) -> None:
    before = sorted(os.listdir(tmp_path))
    for name, says in [
        ("x.sas7bdat", r"write \.xpt"),
        ("x.doc", "its ending says no format"),
        ("no/x.sav", "No such file"),
        ("survey.sav", "exists already"),
    ]:
        with pytest.raises(covey.InputError, match=says):
            release.write(tmp_path / name)
    assert sorted(os.listdir(tmp_path)) == before
    release.write(sav, force=True)


@pytest.mark.parametrize("ending", ["sav", "dta", "xpt"])
def test_names_that_a_program_cannot_have_are_changed_and_said(ending: str, tmp_path: Path) -> None:
    columns = {"marital-status": "s m d w".split() * 5, "marital_status": list(range(20)), "1st of ÄÖ": [1, 2] * 10, "_n": [3] * 20, "with": [1] * 20, "n" * 70: [0] * 20}
    release = covey.anonymize(pandas.DataFrame(columns), quasi=list(columns), privacy=[covey.KAnonymity(4)], method="mondrian")
    path = tmp_path / f"out.{ending}"
    with pytest.warns(covey.CoveyWarning, match='"marital-status" is marital_status_2, "1st of') as said:
        release.write(path)
    assert len(said) == 1
    table = covey.read(path)
    assert len(set(table.column_names)) == len(columns) + 1 and "marital_status" in table.column_names
    labels = [(field.metadata or {}).get(b"covey.label", b"").decode() for field in table.schema]
    assert {"marital-status", "1st of ÄÖ"} <= set(labels)
    if ending == "sav":
        release.save(tmp_path / "release")
        done = run("export", "release", "--to", "again.sav", cwd=tmp_path)
        assert 'covey: warning: ' in done.stderr and '"marital-status" is marital_status_2' in done.stderr
        assert covey.read(tmp_path / "again.sav").column_names == table.column_names


@pytest.mark.parametrize("ending", ["sav", "dta", "xpt", "xlsx", "ods"])
def test_what_a_format_cannot_hold_is_a_text_and_said(ending: str, tmp_path: Path) -> None:
    days = ["0001-01-01", "1899-12-31", "1900-01-01", "2020-02-29"]
    path = tmp_path / "people.csv"
    path.write_text("age,day,number,amount,short\n" + "".join(f"20,{day},{2**53 + at},{10**15 + at}.25,{10**14 + at}.5\n" for at, day in enumerate(days)))
    published = {"role": "insensitive", "unique": "allowed"}
    types = {"day": "date", "number": "integer", "amount": "decimal", "short": "decimal"}
    attributes = [{"name": "age", "role": "quasi-identifier"}, *({"name": name, "type": word, **published} for name, word in types.items())]
    release = covey.anonymize(path, {"attributes": attributes, "privacy": [{"model": "k-anonymity", "k": 4}], "method": "mondrian"})
    with pytest.warns(covey.CoveyWarning, match='more than 15 digits, which it would round, are texts: "number", "amount"') as said:
        name = release.write(tmp_path / f"release.{ending}")
    assert ("before 1900" in str(said[0].message)) == (ending == "xlsx")
    back = covey.read(name).to_pydict()
    for column in types:
        assert list(map(str, back[column])) == list(map(str, release.table.to_pydict()[column]))


def test_names_that_fit_stay_and_the_others_are_all_different() -> None:
    from covey._files import names

    assert names.fitting(["a", "A", "b.", "to", "ä b", "@x", "9"], "sav") == ["a", "A_2", "b", "to_", "ä_b", "@x", "v9"]
    assert names.fitting(["a", "A", "_n", "str12", "ä", "", "x y", "x_y", "x-y"], "dta") == ["a", "A", "v_n", "str12_", "v_", "v", "x_y_2", "x_y", "x_y_3"]
    long = names.fitting(["é" * 40, "é" * 50, "n" * 70], "sav")
    assert len(set(long)) == 3 and all(len(name.encode()) <= 64 for name in long)
    assert names.fitting([f"{'n' * 40}{i}" for i in range(12)], "xpt")[-1] == "n" * 29 + "_12"


def test_a_missing_library_names_the_command_that_installs_it(sav: str, monkeypatch: pytest.MonkeyPatch) -> None:
    from covey._files import kinds

    monkeypatch.setitem(sys.modules, "pyreadstat_missing", None)
    with pytest.raises(covey.InputError, match=r'pip install "covey\[files\]"'):
        kinds.load("pyreadstat_missing")


@written_as("sav", "dta", "xpt", "xlsx", "ods", "parquet", "feather")
def test_files_of_other_programs_are_exported_to(release: covey.Release, written: Path, table: Any, tmp_path: Path) -> None:
    exported = tmp_path / written.name
    assert release.export(str(exported)) == {"target": str(exported), "tables": [{"name": "table", "rows": ROWS, "columns": 7}]}
    assert covey.read(exported).equals(table, check_metadata=True)


@written_as("sav", "xlsx")
def test_so_they_are_by_the_command(release: covey.Release, written: Path, table: Any, tmp_path: Path) -> None:
    release.save(tmp_path / "release")
    words = ("export", "release", "--to", written.name, "--json")
    assert json.loads(run(*words, cwd=tmp_path).stdout)["tables"] == [{"name": "table", "rows": ROWS, "columns": 7}]
    assert covey.read(tmp_path / written.name).equals(table, check_metadata=True)
    again = run(*words, cwd=tmp_path)
    assert again.returncode == 2 and "exists already" in again.stderr
    assert release.export(str(tmp_path / written.name), force=True)["target"] == str(tmp_path / written.name)


def test_a_file_holds_one_table(sav: str, tmp_path: Path) -> None:
    policy = {**POLICY, "quasi": ["age", "town"], "sensitive": "school", "insensitive": [], "attributes": [], "others": "drop", "input": {}}
    release = covey.anonymize(sav, {**policy, "method": "anatomy", "privacy": covey.DistinctLDiversity(2)})
    with pytest.raises(covey.InputError, match="several tables.*: quasi, sensitive"):
        release.export(str(tmp_path / "out.sav"))
    with pytest.raises(covey.InputError, match='no table "qausi"; it has quasi, sensitive'):
        release.export(str(tmp_path / "out.sav"), table="qausi")
    assert not (tmp_path / "out.sav").exists()
    release.export(str(tmp_path / "out.sav"), table="sensitive")
    assert covey.read(tmp_path / "out.sav").column_names == ["group", "school", "count"]
    release = covey.anonymize(
        pandas.DataFrame({"a": ["é" * 40_000] * 2 + ["y"] * 2, "s": list("uvuv")}), quasi=["a"], sensitive="s", privacy=covey.KAnonymity(2)
    )
    for ending in ("sav", "xpt", "xlsx"):  # whose libraries cut it off
        with pytest.raises(covey.InputError, match=r'column "a", row \d: the text has 40,000 characters'):
            release.export(str(tmp_path / f"bad.{ending}"))
    assert sorted(os.listdir(tmp_path)) == ["out.sav", "survey.sav"]


@written_as("csv", "parquet", "feather", "sav", "dta", "xpt")
def test_columns_that_are_asked_for_are_there(written: Path) -> None:
    assert covey.read(written, columns=["sex"]).column_names == covey.read(written, columns="sex").column_names == ["sex"]
    with pytest.raises(covey.InputError, match="nope"):
        covey.read(written, columns=["sex", "nope"])
    for wrong in ([], 5, [1]):
        with pytest.raises(covey.InputError, match="columns must be names"):
            covey.read(written, columns=wrong)


def test_options_that_make_no_sense_are_input_errors(release: covey.Release, sav: str) -> None:
    for options in ({"memory_limit": "x"}, {"memory_limit": 1}, {"time_limit": -1}, {"time_limit": True}):
        with pytest.raises(covey.InputError, match=r"_limit must be a number") as raised:
            covey.read(sav, **options)
        assert raised.value.parameter == next(iter(options))
    with pytest.raises(covey.InputError, match="option of the command alone"):
        release.verify(help=True)
    with pytest.raises(covey.InputError, match="a query is a text"):
        release.query(None)  # type: ignore[arg-type]


def test_categories_have_labels_whatever_was_generalized(tmp_path: Path) -> None:
    frame = pandas.DataFrame({"x": [1.0, 2.0] * 6, "y": [1.0, 2.0, 3.0, 4.0] * 3, "z": [7.0, 8.0] * 6})
    names = {"x": {1: "m", 2: "f"}, "y": {1: "a", 2: "b", 3: "c", 4: "d"}, "z": {7: "seven"}}
    pyreadstat.write_sav(frame, str(tmp_path / "l.sav"), variable_value_labels=names)
    release = covey.anonymize(tmp_path / "l.sav", quasi=["x", "y"], insensitive="z", privacy=[covey.KAnonymity(6)], method="mondrian")
    for ending in ("xlsx", "ods", "xpt"):
        release.write(tmp_path / f"out.{ending}")
        rows = covey.read(tmp_path / f"out.{ending}").to_pylist()
        assert {row["x"] for row in rows} == {"m", "f"} and {row["y"] for row in rows} == {"[a, c]", "[b, d]"}
        assert {float(row["z"]) for row in rows} == {7, 8}, "a number of which one value has a label stays one"
    release.write(tmp_path / "out.parquet")
    field = covey.read(tmp_path / "out.parquet").schema.field("y")
    assert json.loads(field.metadata[b"covey.value_labels"]) == {"[1, 3]": "[a, c]", "[2, 4]": "[b, d]"}


def test_no_file_stays_open_behind_one_that_was_written(release: covey.Release, tmp_path: Path) -> None:
    release.write(tmp_path / "out.csv")
    n_open = len(os.listdir("/proc/self/fd"))
    for ending in ("csv", "parquet", "xlsx"):
        release.write(tmp_path / f"out.{ending}", force=True)
    assert len(os.listdir("/proc/self/fd")) == n_open


def test_formats_are_listed() -> None:
    formats = {found["name"]: found for found in covey.formats()}
    assert {"csv", "parquet", "feather", "sav", "dta", "sas7bdat", "xpt", "xlsx", "xls", "ods"} <= set(formats)
    assert all(formats[name]["built"] and formats[name]["reads"] for name in ("sav", "xls"))
    assert formats["sav"]["writes"] and not formats["xls"]["writes"]
