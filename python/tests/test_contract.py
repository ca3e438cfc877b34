"""The interface that others build on, line by line: names, arguments with their defaults, and the type of everything that comes back."""

from __future__ import annotations

import inspect
import sqlite3
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

import covey
from conftest import PEOPLE, POLICY

EMPTY = inspect.Parameter.empty
KEYS: dict[str, Any] = {key: value for key, value in POLICY.items() if key != "seed"}


def parameters(function: Any) -> list[tuple[str, Any, Any]]:
    return [(p.name, p.kind, p.default) for p in inspect.signature(function).parameters.values()]


BY_PLACE, BY_NAME = inspect.Parameter.POSITIONAL_OR_KEYWORD, inspect.Parameter.KEYWORD_ONLY


@pytest.mark.parametrize(
    ("function", "wanted"),
    [
        (covey.anonymize, [("data", BY_PLACE, EMPTY), ("policy", BY_PLACE, None), *((name, BY_NAME, default) for name, default in (("output", None), ("force", False), ("seed", None), ("threads", None), ("progress", None)))]),
        (covey.open, [("path", BY_PLACE, EMPTY)]),
        (covey.inspect, [("data", BY_PLACE, EMPTY)]),
        (covey.compare, [("data", BY_PLACE, EMPTY), ("policy", BY_PLACE, None)]),
        (covey.read, [("path", BY_PLACE, EMPTY)]),
        (covey.Policy.read, [("path", BY_PLACE, EMPTY)]),
        (covey.Policy.to_yaml, [("self", BY_PLACE, EMPTY)]),
        (covey.Policy.write, [("self", BY_PLACE, EMPTY), ("path", BY_PLACE, EMPTY)]),
        (covey.Policy, [(name, BY_NAME, None) for name in ("quasi", "sensitive", "insensitive", "identifier", "others", "privacy", "method", "suppression")]),
        (covey.Release.save, [("self", BY_PLACE, EMPTY), ("folder", BY_PLACE, EMPTY), ("force", BY_PLACE, False)]),
        (covey.Release.write, [("self", BY_PLACE, EMPTY), ("file", BY_PLACE, EMPTY)]),
        (covey.Release.verify, [("self", BY_PLACE, EMPTY), ("original", BY_PLACE, None)]),
        (covey.Release.query, [("self", BY_PLACE, EMPTY), ("sql", BY_PLACE, EMPTY)]),
        (covey.Release.measure, [("self", BY_PLACE, EMPTY), ("original", BY_PLACE, None), ("queries", BY_PLACE, 0)]),
        (covey.Release.attack, [("self", BY_PLACE, EMPTY), ("original", BY_PLACE, None), ("names", BY_PLACE, None), ("with_", BY_PLACE, None)]),
        (covey.Release.report, [("self", BY_PLACE, EMPTY), ("path", BY_PLACE, None), ("original", BY_PLACE, None)]),
        (covey.Release.export, [("self", BY_PLACE, EMPTY), ("target", BY_PLACE, EMPTY)]),
        *((function, []) for function in (covey.models, covey.methods, covey.attacks, covey.formats)),
    ],
)  # fmt: skip
def test_arguments_have_their_names_order_and_defaults(function: Any, wanted: list[Any]) -> None:
    """More may be added behind them, as long as nobody has to give it."""
    found = parameters(function)
    assert found[: len(wanted)] == wanted
    assert all(default is not EMPTY or kind == inspect.Parameter.VAR_KEYWORD for _, kind, default in found[len(wanted) :])


def test_policy_keys_go_through() -> None:
    for function in (covey.anonymize, covey.Policy, covey.compare):
        assert list(inspect.signature(function).parameters.values())[-1].kind == inspect.Parameter.VAR_KEYWORD


# ---- data and policies ----


def forms_of_data(path: str) -> dict[str, Any]:
    pandas, polars, pyarrow = (pytest.importorskip(name) for name in ("pandas", "polars", "pyarrow"))

    class Stream:
        """Nothing but the protocol."""

        def __arrow_c_stream__(self, requested_schema: object = None) -> object:
            return pyarrow.table(PEOPLE).__arrow_c_stream__(requested_schema)

    return {"str": path, "path": Path(path), "pandas": pandas.DataFrame(PEOPLE), "polars": polars.DataFrame(PEOPLE), "pyarrow": pyarrow.table(PEOPLE), "protocol": Stream()}


def test_data_and_policies_come_in_every_form(people: str, tmp_path: Path) -> None:
    policy = covey.Policy(**KEYS)
    policy.write(tmp_path / "policy.yaml")
    expected = covey.anonymize(people, seed=7, **KEYS).manifest["files"]
    for data in forms_of_data(people).values():
        assert covey.anonymize(data, policy, seed=7).manifest["files"] == expected
    as_dict = {"version": 1, "attributes": [{"name": name, "role": "quasi-identifier"} for name in ("age", "zip")] + [{"name": "disease", "role": "sensitive"}, {"name": "income", "role": "insensitive"}], "privacy": KEYS["privacy"], "method": {"name": "mondrian"}}
    for given in (policy, str(tmp_path / "policy.yaml"), tmp_path / "policy.yaml", as_dict, covey.Policy.read(tmp_path / "policy.yaml")):
        assert covey.anonymize(people, given, seed=7).manifest["files"] == expected


@pytest.mark.filterwarnings("ignore::covey.CoveyWarning")
def test_policy_keys_come_in_every_form(people: str) -> None:
    for quasi in (["age", "zip"], {"age": None, "zip": {"mask": 5}}, {"age": {"interval": {"from": 0, "to": 100, "widths": [10, 50]}}, "zip": None}):
        for privacy in ([covey.KAnonymity(3)], [{"model": "k-anonymity", "k": 3}], [covey.KAnonymity(3), {"model": "t-closeness", "t": "0.9"}]):
            for method in ("auto", "mondrian", {"name": "mondrian", "cut": "relaxed"}):
                for others in ({"others": "drop"}, {"others": "insensitive"}, {"insensitive": "income"}, {"insensitive": ["income"]}, {"identifier": ["income"]}):
                    release = covey.anonymize(people, quasi=quasi, sensitive=["disease"], privacy=privacy, method=method, suppression=0.01, **others)
                    assert release.verify() and [p["model"] for p in release.promises] == [getattr(p, "model", None) or p["model"] for p in privacy]


# ---- what comes back ----


@pytest.fixture(scope="module")
def release(tmp_path_factory: pytest.TempPathFactory) -> Any:
    pyarrow = pytest.importorskip("pyarrow")
    return covey.anonymize(pyarrow.table(PEOPLE), **POLICY)


def test_a_release_says_what_it_is(release: covey.Release) -> None:
    pyarrow = pytest.importorskip("pyarrow")
    assert isinstance(release, covey.Release)
    assert isinstance(release.manifest, dict) and release.manifest["form"] == release.form == "generalized"
    assert isinstance(release.promises, list) and {"model", "threshold", "achieved"} <= set(release.promises[0])
    assert isinstance(release.utility, dict) and {"ail", "discernibility", "average_class_size"} <= set(release.utility)
    assert isinstance(release.table, pyarrow.Table) and release.table.column_names == ["class", *PEOPLE]
    assert isinstance(release.tables, dict) and list(release.tables) == ["table"] and isinstance(release.tables["table"], pyarrow.Table)
    assert type(release.to_pandas()).__name__ == type(release.to_polars()).__name__ == "DataFrame"
    assert isinstance(release._repr_html_(), str)


FORMS = {
    "bucketized": ("anatomy", [covey.ProbabilisticLDiversity(2)], ["quasi", "sensitive"]),
    "perturbed": ("perturbation", [covey.EnhancedBetaLikeness(2)], ["table", "perturbation"]),
    "sliced": ("slicing", [covey.SlicedLDiversity(2)], ["column-1", "column-2"]),
}


@pytest.mark.filterwarnings("ignore::covey.CoveyWarning")
@pytest.mark.parametrize("form", FORMS)
def test_every_form_gives_its_tables(form: str, people: str) -> None:
    pyarrow = pytest.importorskip("pyarrow")
    method, privacy, names = FORMS[form]
    made = covey.anonymize(people, quasi=["age", "zip"], sensitive="disease", others="drop", privacy=privacy, method=method)
    assert made.form == form and list(made.tables) == names
    assert all(isinstance(table, pyarrow.Table) for table in made.tables.values())
    assert isinstance(made.table, pyarrow.Table) and made.table.num_rows == 12
    assert made.verify(people).faithful and isinstance(made.to_pandas(names[1]).columns.tolist(), list)


def test_it_goes_where_it_is_sent(release: covey.Release, tmp_path: Path) -> None:
    release.save(tmp_path / "kept")
    release.save(tmp_path / "kept", True)
    assert covey.open(tmp_path / "kept").manifest == covey.open(str(tmp_path / "kept")).manifest == release.manifest
    release.write(tmp_path / "table.csv")
    release.write(str(tmp_path / "table.parquet"))
    assert covey.read(tmp_path / "table.csv").num_rows == covey.read(str(tmp_path / "table.parquet")).num_rows == 12
    release.export(f"sqlite:{tmp_path / 'release.db'}")
    assert (tmp_path / "release.db").stat().st_size > 0


def test_it_answers_what_it_is_asked(release: covey.Release, people: str) -> None:
    alone, verdict = release.verify(), release.verify(people)
    assert isinstance(verdict, covey.Verdict) and bool(verdict) is verdict.holds is True and verdict.faithful is True and alone.faithful is None
    assert isinstance(verdict.promises, list) and isinstance(verdict.problems, list)
    answer = release.query("SELECT COUNT(*) WHERE age < 30")
    assert isinstance(answer, covey.Answer) and isinstance(answer.answers, list) and answer.groups is None
    assert {"aggregate", "lower", "upper", "estimate", "standard_error"} <= set(answer.answers[0])
    assert isinstance(answer.hits, dict) and set(answer.hits) == {"lower", "upper"}
    assert len(answer.to_pandas()) == 1
    grouped = release.query("SELECT COUNT(*) GROUP BY zip")
    assert isinstance(grouped.groups, list) and {"key", "answers", "hits"} <= set(grouped.groups[0])
    assert len(grouped.to_pandas()) == len(grouped.groups)
    measured = release.measure(people, 3)
    assert isinstance(measured, dict) and {"ail", "ncp", "discernibility", "average_class_size", "kl", "workload"} <= set(measured)
    assert release.measure(people, queries=0).get("workload") is None
    found = release.attack(people, ["homogeneity"])
    assert isinstance(found, list) and isinstance(found[0], dict) and {"name", "figure", "prior", "ceiling", "bound", "verdict"} <= set(found[0])
    assert isinstance(release.attack(original=people, with_=release), list) and isinstance(release.attack(), list)


def test_a_query_as_sql_gives_the_same_over_the_exported_tables(release: covey.Release, tmp_path: Path) -> None:
    query = "SELECT COUNT(*) WHERE age < 30"
    release.export(f"sqlite:{tmp_path / 'release.db'}")
    connection = sqlite3.connect(tmp_path / "release.db")
    found = connection.execute(release.query_sql(query))
    names, row = [column[0] for column in found.description], found.fetchone()
    connection.close()
    answer = release.query(query).answers[0]
    assert (row[names.index("count_lower")], row[names.index("count_upper")]) == (answer["lower"], answer["upper"])
    assert release.query_sql(query, "postgresql").startswith("WITH")
    for wrong in (lambda: release.query_sql(query, "oracle"), lambda: release.query_sql(5)):  # type: ignore[arg-type]
        with pytest.raises(covey.InputError):
            wrong()


def test_it_reports(release: covey.Release, people: str, tmp_path: Path) -> None:
    assert isinstance(release.report(), str) and release.report(None, people).lstrip().lower().startswith("<!doctype html")
    release.report(tmp_path / "report.html", original=people)
    assert "</html>" in (tmp_path / "report.html").read_text()


@pytest.mark.filterwarnings("ignore::covey.CoveyWarning")
def test_looking_and_comparing(people: str) -> None:
    inspection = covey.inspect(people)
    assert isinstance(inspection.columns, list) and isinstance(inspection.columns[0], dict)
    assert isinstance(inspection.policy(), covey.Policy)
    keys = {**KEYS, "method": "auto"}
    comparison = covey.compare(people, covey.Policy(**keys), options={"queries": 3, "method_time": 0.1, "no_attacks": True})
    assert isinstance(comparison.methods, list) and {"method", "feasible", "reason", "ail", "query_error", "attack", "seconds"} <= set(comparison.methods[0])
    pytest.importorskip("pandas")
    assert len(comparison.to_pandas()) == len(comparison.methods)


def test_read_gives_labels_in_the_metadata_of_fields(tmp_path: Path) -> None:
    pyreadstat, pandas = pytest.importorskip("pyreadstat"), pytest.importorskip("pandas")
    path = tmp_path / "s.sav"
    pyreadstat.write_sav(pandas.DataFrame({"sex": [1.0, 2.0]}), str(path), column_labels={"sex": "Sex"}, variable_value_labels={"sex": {1: "male", 2: "female"}})
    field = covey.read(path).schema.field("sex")
    assert field.metadata[b"covey.label"] == b"Sex" and b"female" in field.metadata[b"covey.value_labels"]


def test_what_is_built_in_is_listed() -> None:
    for function in (covey.models, covey.methods, covey.attacks, covey.formats):
        listed = function()
        assert isinstance(listed, list) and listed and all(isinstance(item, dict) and isinstance(item["name"], str) for item in listed)
    assert isinstance(covey.__version__, str) and covey.__version__[0].isdigit()


# ---- errors ----


def test_errors_have_their_fields(people: str, tmp_path: Path) -> None:
    assert issubclass(covey.InputError, (covey.Error,)) and issubclass(covey.InputError, ValueError)
    assert issubclass(covey.Infeasible, covey.Error) and issubclass(covey.SystemError_, covey.Error)
    assert [kind("x").code for kind in (covey.Infeasible, covey.InputError, covey.SystemError_)] == [1, 2, 3]
    path = tmp_path / "bad.csv"
    path.write_text("age,zip\n1,2\n3\n")
    with pytest.raises(covey.InputError) as bad:
        covey.anonymize(path, quasi=["age", "zip"], privacy=covey.KAnonymity(2))
    assert (bad.value.code, bad.value.file, bad.value.row) == (2, str(path), 3)
    with pytest.raises(covey.Infeasible) as no:
        covey.anonymize(people, quasi="age", others="drop", privacy=covey.KAnonymity(100))
    assert no.value.code == 1 and no.value.nearest is not None
    assert (no.value.file, no.value.row, no.value.column) == (None, None, None)
    with pytest.raises(covey.SystemError_) as failed:
        covey.anonymize(people, output="/dev/null/release", **KEYS)
    assert failed.value.code == 3 and hasattr(failed.value, "file") and hasattr(failed.value, "row") and hasattr(failed.value, "column")


def test_the_command_comes_with_the_package(people: str) -> None:
    done = subprocess.run([sys.executable, "-m", "covey", "--version"], capture_output=True, text=True)
    assert done.returncode == 0 and covey.__version__ in done.stdout
