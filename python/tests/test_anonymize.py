"""The main job from Python: the same release as the command's, in memory or in a folder."""

from __future__ import annotations

import concurrent.futures
import copy
import gc
import json
import multiprocessing
import os
import pickle
import random
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import covey
from covey._arguments import in_arguments

from conftest import PEOPLE, POLICY, published, write_csv


def test_a_release_in_memory_holds_and_goes_with_its_object(people: str) -> None:
    release = covey.anonymize(people, **POLICY)
    path = release.path
    assert release.form == "generalized"
    assert release.verify(people).holds and release.verify(people).faithful
    assert os.stat(os.path.dirname(path)).st_mode & 0o777 == 0o700
    del release
    gc.collect()
    assert not os.path.exists(os.path.dirname(path))


def test_what_was_closed_says_so(people: str) -> None:
    with covey.anonymize(people, **POLICY) as release:
        path = release.path
    assert not os.path.exists(path)
    with pytest.raises(covey.InputError, match="closed"):
        release.verify()


def test_it_is_the_release_of_the_command(people: str, command: Any, tmp_path: Path) -> None:
    code, result = command(
        "anonymize", people, "--quasi", "age,zip", "--sensitive", "disease", "--insensitive", "income",
        "--model", "k-anonymity:k=3", "--model", "distinct-l-diversity:l=2", "--method", "mondrian", "--seed", "7",
        "-o", str(tmp_path / "by-command"),
    )  # fmt: skip
    release = covey.anonymize(people, **POLICY)
    assert code == 0 and release.result is not None
    assert published(release) == published(covey.open(tmp_path / "by-command"))
    for key in ("rows", "classes", "promises", "objective", "utility"):
        assert release.result[key] == result[key]


def test_nothing_is_written_into_a_release(people: str, tmp_path: Path) -> None:
    release = covey.anonymize(people, output=tmp_path / "release", **POLICY)
    inside = str(tmp_path / "release" / "more.csv")
    for write in (release.save, release.write, covey.Policy(quasi="age").write, lambda path: covey.anonymize(people, output=path, **POLICY)):
        with pytest.raises(covey.InputError, match="in the folder of a release"):
            write(inside)
    assert release.verify(people)
    other = tmp_path / "other"
    other.mkdir()
    (other / "manifest.json").write_text('{"format_version": 2, "header": {}}')
    release.save(other / "release")
    assert covey.open(other / "release").verify(people)


def test_output_is_written_once_and_replaced_by_force(people: str, tmp_path: Path) -> None:
    target = tmp_path / "release"
    covey.anonymize(people, output=target, **POLICY)
    with pytest.raises(covey.InputError, match="exists"):
        covey.anonymize(people, output=target, **POLICY)
    again = covey.anonymize(people, output=target, force=True, **POLICY)
    assert covey.open(target).promises == again.promises
    (tmp_path / "empty").mkdir()
    for write in (lambda path: covey.anonymize(people, output=path, force=True, **POLICY), lambda path: again.save(path, force=True)):
        with pytest.raises(covey.InputError, match="is not replaced"):
            write(tmp_path / "empty")


def test_save_writes_a_release_that_holds(people: str, tmp_path: Path) -> None:
    release = covey.anonymize(people, **POLICY)
    saved = release.save(tmp_path / "kept")
    assert saved.verify(people).faithful and published(saved) == published(release)
    with pytest.raises(covey.InputError, match="exists"):
        release.save(tmp_path / "kept")
    release.save(tmp_path / "kept", force=True)
    (tmp_path / "kept" / "notes.txt").write_text("mine")
    with pytest.raises(covey.InputError, match="not replaced"):
        release.save(tmp_path / "kept", force=True)
    assert (tmp_path / "kept" / "notes.txt").read_text() == "mine"
    assert not [name for name in os.listdir(tmp_path) if name.startswith(".kept")]


def test_results_have_the_shape_of_the_contract(people: str) -> None:
    release = covey.anonymize(people, **POLICY)
    answer = release.query("SELECT COUNT(*) WHERE age < 30")
    assert answer.answers[0]["lower"] <= 4 <= answer.answers[0]["upper"] and answer.hits is not None
    grouped = release.query("SELECT COUNT(*) GROUP BY zip")
    assert grouped.groups and grouped.hits is None
    measured = release.measure(people, queries=5)
    assert 0 < measured["ail"] < 1 and measured["workload"]["queries"] == 5
    attacks = release.attack(people, names=["homogeneity", "skewness"])
    assert {found["name"] for found in attacks} == {"homogeneity", "skewness"}
    assert release.attack(people, with_=release)
    assert "<html" in release.report() and "<html" in release.report(original=people)
    assert "k-anonymity" in release._repr_html_() and "holds" in release.verify()._repr_html_()
    assert release.promises[0]["model"] == "k-anonymity" and "ail" in release.utility


def test_a_report_is_written_where_it_is_wanted(people: str, tmp_path: Path) -> None:
    path = covey.anonymize(people, **POLICY).report(tmp_path / "report.html")
    assert Path(path).read_text().startswith("<!DOCTYPE html>")


@pytest.mark.parametrize("in_a_file", [True, False])
def test_a_report_says_what_the_original_proves_over_persons(tmp_path: Path, in_a_file: bool) -> None:
    pyarrow = pytest.importorskip("pyarrow")
    rows = {
        "person": [f"p{i // 2}" for i in range(16)],
        "age": [30 + i // 2 for i in range(16)],
        "disease": [f"d{i // 2 % 4}" for i in range(16)],
        "people": [10] * 16,
    }
    visits = write_csv(tmp_path / "visits.csv", rows)
    links = tmp_path / "links.csv"
    release = covey.anonymize(
        visits if in_a_file else pyarrow.table(rows),
        attributes=[{"name": "person", "role": "entity"}],
        quasi=["age"],
        sensitive="disease",
        others="drop",
        privacy=[covey.KAnonymity(2)],
        links=links,
    )
    facts = json.loads(release.report(format="json"))
    assert not facts["units"]["proven"] and facts["population"] is None
    original = visits if in_a_file else pyarrow.table(rows)
    assert release.verify(original, links=links).units == {"published": 8, "proven": True}
    assert release.verify().units == {"published": 8, "proven": False}
    facts = json.loads(release.report(original=original, links=links, weight="people", format="json"))
    assert facts["units"]["proven"] and facts["population"]["fewest_people"] >= 20
    facts = json.loads(release.report(original=visits, entity="person", format="json"))
    assert facts["units"]["fit"] in ("only", "kept")
    with pytest.raises(covey.InputError, match="^links names the class of each row"):
        release.report(links=links)


def test_export_says_what_it_wrote(people: str, tmp_path: Path) -> None:
    written = covey.anonymize(people, **POLICY).export(f"jsonl:{tmp_path / 'out'}")
    assert written["tables"][0] == {"name": "table", "rows": 12, "columns": 5}
    assert (tmp_path / "out" / "table.jsonl").exists()


def test_inspect_gives_a_policy_that_works(people: str) -> None:
    looked = covey.inspect(people)
    assert [column["name"] for column in looked.columns] == list(PEOPLE)
    policy = looked.policy()
    assert policy.to_dict()["input"]["path"] == people
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", covey.CoveyWarning)
        assert covey.anonymize(None, policy.replace(privacy=covey.KAnonymity(2))).verify()


def test_compare_ranks_methods(people: str) -> None:
    keys = {key: value for key, value in POLICY.items() if key not in ("method", "seed")}
    compared = covey.compare(people, options={"queries": 5, "method_time": 0.2}, **keys)
    assert compared.methods[0]["feasible"] and "mondrian" in repr(compared)


def test_compare_goes_through_what_is_varied(people: str) -> None:
    keys = {key: value for key, value in POLICY.items() if key not in ("method", "seed")}
    quick = {"queries": 5, "method_time": 0.2, "no_attacks": True}
    quasi = [name for name in POLICY["quasi"]]
    compared = covey.compare(people, options=quick, vary={"k": [2, 4], "quasi": [quasi, quasi[:1]]}, **keys)
    assert [c["vary"] for c in compared.figures["combinations"]][1] == {"k": "2", "quasi": f'["{quasi[0]}"]'}
    kept = [m for m in compared.methods if m["method"] == "mondrian" and len(m["quasi"]) > len(quasi[0]) + 4]
    losses = {m["k"]: m["ail"] for m in kept}
    assert losses["2"] <= losses["4"]
    with pytest.raises(covey.InputError, match="no model that the policy promises has a parameter t"):
        covey.compare(people, options=quick, vary={"t": [0.1]}, **keys)


def test_registries_list_what_is_built_in() -> None:
    assert {"k-anonymity", "t-closeness"} <= {model["name"] for model in covey.models()}
    assert "elastic" in {method["name"] for method in covey.methods()}
    assert {"peel", "slicing"} <= {method["name"] for method in covey.methods() if method["keeps_units"]} < {method["name"] for method in covey.methods()}
    assert "homogeneity" in {attack["name"] for attack in covey.attacks()}
    assert "csv" in {kind["name"] for kind in covey.formats()}


def test_every_model_has_its_class() -> None:
    from covey import _models

    listed = {model["name"]: model for model in covey.models()}
    classes = [kind for kind in vars(_models).values() if isinstance(kind, type) and getattr(kind, "model", "")]
    assert {kind.model for kind in classes} == set(listed)
    for kind in classes:
        wanted = {p["name"].replace("-", "_") for p in listed[kind.model]["parameters"] if p["required"]}
        names = list(kind.__init__.__code__.co_varnames[1 : kind.__init__.__code__.co_argcount])
        assert wanted <= set(names), kind


# ---- errors ----


def test_no_release_at_all_is_infeasible_with_the_nearest_policy(people: str) -> None:
    with pytest.raises(covey.Infeasible) as caught:
        covey.anonymize(people, quasi="age", others="drop", privacy=covey.KAnonymity(50))
    assert caught.value.code == 1
    assert caught.value.nearest == {"privacy": [{"model": "k-anonymity", "k": 12}]}


def test_bad_input_names_file_row_and_column(tmp_path: Path) -> None:
    path = write_csv(tmp_path / "bad.csv", {"age": ["1", "2", "x"], "b": ["1", "2", "3"]})
    with pytest.raises(covey.InputError) as caught:
        covey.anonymize(
            path, attributes=[{"name": "age", "role": "quasi-identifier", "type": "integer"}], others="drop",
            privacy=covey.KAnonymity(2),
        )  # fmt: skip
    assert isinstance(caught.value, ValueError) and isinstance(caught.value, covey.Error)
    assert (caught.value.code, caught.value.file, caught.value.row, caught.value.column) == (2, path, 4, "age")


@pytest.mark.parametrize(
    ("data", "keys", "said"),
    [
        ("nothing.csv", {}, "nothing.csv"),
        ("arrow:999999", {}, "arrow:999999"),
        ("a\0b", {}, "null"),
        (3, {}, "int is no table"),
        (None, {}, "input"),
        ("people", {"quasi": ["agee"]}, 'did you mean "age"'),
        ("people", {"privacy": [{"model": "k-anonimity", "k": 2}]}, "k-anonymity"),
        ("people", {"privacy": [{"model": "k-anonymity", "k": 2.5}]}, "2.5"),
        ("people", {"privacy": ["k-anonymity"]}, "no promise"),
        ("people", {"method": "elastik"}, "elastic"),
        ("people", {"suppression": 2}, "suppression"),
        ("people", {"suppression": float("nan")}, "nan"),
        ("people", {"quasi": {"age": object()}}, "object"),
        ("people", {"colour": "red"}, "colour"),
        ("people", {"seed": -1}, "seed"),
        ("people", {"threads": 0}, "threads"),
        ("people", {"quasi": ["\ud800"]}, "Unicode"),
    ],
)
def test_wrong_arguments_are_input_errors(data: Any, keys: dict[str, Any], said: str, people: str) -> None:
    usual = {**POLICY, "others": "drop", "method": "elastic", **keys}
    with pytest.raises(covey.InputError, match=said):
        covey.anonymize(people if data == "people" else data, **usual)


def test_complaints_are_about_arguments_not_about_options_of_the_command(people: str, tmp_path: Path) -> None:
    release, frame = covey.anonymize(people, **POLICY), covey.read(people)
    release.save(tmp_path / "release")
    release.export(f"sqlite:{tmp_path}/release.db")
    (tmp_path / "semicolons.csv").write_text("a;b\n1;2\n3;4\n")
    two = {"quasi": "age", "privacy": covey.KAnonymity(2)}
    calls: list[tuple[Callable[[], Any], str]] = [
        (lambda: covey.anonymize(people, output=tmp_path / "release", **POLICY), "force its replacement (force=True)"),
        (lambda: release.export(f"sqlite:{tmp_path}/release.db"), "(force=True)"),
        (lambda: release.export("nowhere:a"), "target takes sqlite:FILE"),
        (lambda: release.measure(queries=5), "queries compares with the truth: it takes original=DATA"),
        (lambda: release.measure(frame, selectivity=0.1), "how many? queries=N"),
        (lambda: release.measure(frame, queries=5, ranges=True, arbitrary=True), "ranges=True and arbitrary=True"),
        (lambda: release.attack(names="composition"), "original=DATA"),
        (lambda: release.attack(names="membership"), "population=DATA"),
        (lambda: release.attack(of=1), "attack has no option of"),
        (lambda: release.attack(names="none"), "covey.attacks() lists them"),
        (lambda: release.attack(people, links="a"), "<Release> is none"),
        (lambda: release.query("SELECT COUNT(*)", shrink=True), "leave out shrink=True"),
        (lambda: release.query_sql("SELECT COUNT(*)", "mysql"), "dialect must be one of"),
        (lambda: covey.anonymize(people, **two), "others: drop or others: insensitive"),
        (lambda: covey.anonymize(people, others="drop", privacy=covey.KAnonymity(2)), "name them: quasi=..."),
        (lambda: covey.anonymize(people, others="drop", quasi="age", privacy=covey.TCloseness("0.2")), "name it: sensitive=..."),
        (lambda: covey.anonymize(people, others="drop", previous=[release], **two), "(ledger=FILE)"),
        (lambda: covey.anonymize(tmp_path / "semicolons.csv", quasi="a", privacy=covey.KAnonymity(2), input={"delimiter": ","}), 'input={"delimiter": \';\'}'),
        (lambda: covey.inspect(people, names="a"), "header=False"),
        (lambda: covey.compare(people, others="drop", options={"plot": "x.svg"}, **two), 'vary={"k": [3, 5, 10]}'),
    ]
    for call, said in calls:
        with pytest.raises(covey.InputError) as caught:
            call()
        assert said in str(caught.value) and "--" not in str(caught.value)
    assert "--" not in str(release.attack())
    assert in_arguments("`covey export --to csv:FOLDER --safe-cells` makes them texts") == 'release.export("csv:FOLDER", safe_cells=True) makes them texts'
    assert in_arguments('column "--force" is a name, not an option') == 'column "--force" is a name, not an option'


def test_arguments_of_another_type_are_input_errors(people: str, tmp_path: Path) -> None:
    release, two = covey.anonymize(people, **POLICY), {"quasi": "age", "others": "drop", "privacy": covey.KAnonymity(2)}
    kept = release.save(tmp_path / "kept")
    release.write(tmp_path / "kept.csv")
    wrong: Any
    calls: list[tuple[Callable[[], Any], str]] = [
        *((lambda wrong=wrong: covey.Policy(attributes=[wrong]), "attributes[0] must be a mapping") for wrong in ("age", 5, None)),
        (lambda: release.attack(people, 5), "names must be"),  # type: ignore[arg-type]
        (lambda: release.save(tmp_path / "kept", force="no"), "force must be True or False"),  # type: ignore[arg-type]
        (lambda: release.write(tmp_path / "kept.csv", force="no"), "force must be True or False"),  # type: ignore[arg-type]
        (lambda: release.write(tmp_path / "like.csv", like=5), "int is no table"),
        (lambda: release.save(""), "a path is empty"),
        (lambda: covey.open(""), "a path is empty"),
        (lambda: covey.anonymize(people, output="", **two), "a path is empty"),
        (lambda: release.query_sql("SELECT COUNT(*)", None), "dialect must be"),  # type: ignore[arg-type]
        *((lambda wrong=wrong: covey.compare(people, vary=wrong, **two), "vary must be a mapping") for wrong in ({"k": 3}, ["k"], {"k": "35"})),
        (lambda: covey.compare(people, options=["queries"], **two), "options must be a mapping"),  # type: ignore[arg-type]
        (lambda: covey.combinations(people, 5), "columns must be names"),  # type: ignore[arg-type]
        *((lambda wrong=wrong: covey.hierarchy(people, "zip", wrong), "is no hierarchy") for wrong in (None, 5, {1, 2})),
        (lambda: covey.hierarchy(people, 5, {"mask": 5}), "column must be a name"),  # type: ignore[arg-type]
        (lambda: covey.hierarchy(people, "zip", {"mask": 5}, output="x"), "hierarchy has no option output"),
        (lambda: covey.read(people, null=20), "null must be"),
    ]
    for call, said in calls:
        with pytest.raises(covey.InputError) as caught:
            call()
        assert said in str(caught.value)
    assert kept.verify() and not Path("x").exists()


def test_hierarchies_of_a_column_come_in_every_form(people: str) -> None:
    lines = covey.hierarchy(people, "disease", {"flu": ["air", "*"], "cold": ["air", "*"], "ache": ["other", "*"]})
    assert lines == [["flu", "air", "*"], ["cold", "air", "*"], ["ache", "other", "*"]]
    for same in (lines, {"*": {"air": ["flu", "cold"], "other": ["ache"]}}, {"flu": "air", "cold": "air", "ache": "other", "air": "*", "other": "*"}):
        assert covey.hierarchy(people, "disease", same) == lines


def test_a_closed_release_can_be_shown(people: str) -> None:
    release = covey.anonymize(people, **POLICY)
    release.close()
    assert "closed" in repr(release) and "closed" in release._repr_html_()


def test_codes_beside_missing_cells_stay_texts(tmp_path: Path) -> None:
    (tmp_path / "codes.csv").write_text("age,code,disease\n1,01,x\n2,2,y\n3,,x\n4,10,y\n")
    release = covey.anonymize(tmp_path / "codes.csv", quasi="age", sensitive="disease", insensitive="code", privacy=[covey.KAnonymity(2), covey.DistinctLDiversity(2)])
    assert sorted(release.table.column("code").to_pylist(), key=str) == ["01", "10", "2", None]


def test_no_attack_is_no_answer(people: str) -> None:
    release = covey.anonymize(people, **POLICY)
    for none in ([], (), ""):
        with pytest.raises(covey.InputError, match="names is empty") as caught:
            release.attack(people, none)
        assert caught.value.parameter == "names"


def test_errors_can_be_pickled() -> None:
    error = covey.Infeasible("no", nearest={"k": 2}, file="f", row=3, column="c")
    again = pickle.loads(pickle.dumps(error))
    assert (str(again), again.nearest, again.row, again.column, again.code) == ("no", {"k": 2}, 3, "c", 1)


def test_warnings_are_pythons(people: str) -> None:
    with pytest.warns(covey.CoveyWarning, match="disease") as caught:
        covey.anonymize(people, quasi="age", sensitive="disease", others="drop", privacy=covey.KAnonymity(2))
    assert caught[0].filename == __file__


def test_no_folder_is_a_release(tmp_path: Path) -> None:
    with pytest.raises(covey.InputError, match="is no release"):
        covey.open(tmp_path)
    (tmp_path / "manifest.json").write_text("[]")
    with pytest.raises(covey.InputError, match="is no release"):
        covey.open(tmp_path)


# ---- a program's life ----


LONG: dict[str, Any] = {
    "quasi": ["age", "gender", "education", "marital", "workclass"],
    "sensitive": "salary",
    "privacy": [covey.KAnonymity(3), covey.DistinctLDiversity(2)],
    "method": {"name": "mondrian", "refine": "local"},
}


@pytest.fixture(scope="module")
def big(tmp_path_factory: pytest.TempPathFactory) -> str:
    """A table that takes some seconds."""
    path = str(tmp_path_factory.mktemp("big") / "census.csv")
    words = ["generate", "census", "--rows", "400000", "--seed", "1", "-o", path]
    subprocess.run([sys.executable, "-m", "covey", *words], check=True, capture_output=True)
    return path


def test_progress_is_told_and_can_stop_the_work(big: str) -> None:
    told: list[tuple[str, int, int]] = []
    covey.anonymize(big, progress=lambda *now: told.append(now), **{**LONG, "method": "mondrian"})
    assert told and all(done >= 0 for _, done, _ in told)
    with pytest.raises(covey.Cancelled):
        covey.anonymize(big, progress=lambda *now: False, **LONG)
    with pytest.raises(ZeroDivisionError):
        covey.anonymize(big, progress=lambda *now: 1 // 0, **LONG)


@pytest.mark.parametrize("answer", [lambda *now: False, lambda *now: 1 // 0])
def test_even_short_work_can_be_stopped(people: str, tmp_path: Path, answer: Any) -> None:
    with pytest.raises((covey.Cancelled, ZeroDivisionError)):
        covey.anonymize(people, output=tmp_path / "release", progress=answer, **POLICY)
    assert os.listdir(tmp_path) == ["people.csv"]


def test_nobody_is_asked_when_the_work_is_done(people: str, tmp_path: Path) -> None:
    for last in range(1, 9):  # whoever stops it at the question of that number has no release
        target, told = tmp_path / f"release-{last}", []

        def answer(*now: Any) -> bool:
            told.append(now)
            time.sleep(0.003)
            return len(told) != last

        try:
            covey.anonymize(people, output=target, progress=answer, **POLICY)
        except covey.Cancelled:
            assert not target.exists() and len(told) == last
        else:
            assert target.exists() and 1 <= len(told) < last


def test_figures_in_progress_are_told_whole() -> None:
    pyarrow = pytest.importorskip("pyarrow")
    told: list[str] = []
    numbers = random.Random(1)
    table = pyarrow.table({name: [numbers.randrange(40) for _ in range(100000)] for name in "abc"})
    method = {"name": "optimal-partition", "search": "and-or", "time-limit": 1}
    covey.anonymize(table, quasi=["a", "b", "c"], privacy=[covey.KAnonymity(33000)], method=method, progress=lambda phase, *_: told.append(phase))
    figures = [phase for phase in told if "best" in phase]
    assert figures and all(re.search(r"ratio \d+\.\d{4}$", phase) for phase in figures)


def test_progress_can_be_a_bar(big: str, capfd: pytest.CaptureFixture[str]) -> None:
    pytest.importorskip("tqdm")
    covey.anonymize(big, progress=True, **{**LONG, "method": "mondrian"})
    assert "cut: " in (said := capfd.readouterr().err) and "it/s" in said  # how much there is to do is not known of every phase


def test_ctrl_c_stops_the_work_and_leaves_nothing(big: str, tmp_path: Path) -> None:
    script = (
        "import covey, sys\n"
        "print('go', flush=True)\n"
        # The search for the optimum takes more time than there is, on any machine.
        "covey.anonymize(sys.argv[1], quasi=['age', 'gender', 'education', 'marital', 'workclass'], others='drop',"
        " privacy=covey.KAnonymity(2), method={'name': 'optimal-partition', 'time-limit': 60}, output=sys.argv[2])\n"
    )
    words = [sys.executable, "-c", script, big, str(tmp_path / "out")]
    program = subprocess.Popen(words, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    assert program.stdout is not None and program.stdout.readline() == "go\n"
    time.sleep(0.15)
    program.send_signal(signal.SIGINT)
    _, said = program.communicate(timeout=30)
    assert program.returncode != 0 and "KeyboardInterrupt" in said
    assert os.listdir(tmp_path) == []


def test_ctrl_c_loses_no_release_that_is_being_replaced(people: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    release = covey.anonymize(people, **POLICY)
    release.save(tmp_path / "release")
    for function in ("rename", "mkdir", "rmdir"):
        real = getattr(os, function)

        def interrupted(*args: Any, **keys: Any) -> None:
            real(*args, **keys)
            signal.raise_signal(signal.SIGINT)

        monkeypatch.setattr(os, function, interrupted)
        with pytest.raises(KeyboardInterrupt):
            release.save(tmp_path / "release", force=True)
        monkeypatch.undo()
        assert covey.open(tmp_path / "release").verify() and sorted(os.listdir(tmp_path)) == ["people.csv", "release"]


def test_no_folder_stays_that_ctrl_c_kept_from_being_removed(people: str) -> None:
    code = """import covey, os, sys
from covey import _folder, _tables
real = _folder.make
def made(place):
    print(real(place))
    raise KeyboardInterrupt
_folder.make = made
try:
    covey.anonymize(sys.argv[1], quasi="age", others="drop", privacy=covey.KAnonymity(2))
except KeyboardInterrupt:
    pass
"""
    folder = subprocess.run([sys.executable, "-c", code, people], capture_output=True, text=True, check=True).stdout.strip()
    assert folder and not os.path.exists(folder)


def test_threads_work_at_the_same_time(people: str) -> None:
    expected = published(covey.anonymize(people, **POLICY))
    found: list[dict[str, str]] = []

    def work() -> None:
        for _ in range(5):
            release = covey.anonymize(people, **POLICY)
            assert release.verify()
            found.append(published(release))

    threads = [threading.Thread(target=work) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert found == [expected] * 20


def test_the_interpreter_goes_on_meanwhile(big: str) -> None:
    ticks = 0
    ended = threading.Event()

    def work() -> None:
        covey.anonymize(big, **{**LONG, "method": "mondrian"})
        ended.set()

    thread = threading.Thread(target=work)
    thread.start()
    while not ended.is_set():
        ticks += 1
        time.sleep(0.001)
    thread.join()
    assert ticks > 10


def _in_a_child(people: str, path: str) -> None:
    release = covey.anonymize(people, **POLICY)
    assert release.verify()
    os.stat(path)


@pytest.mark.parametrize("kind", ["fork", "spawn"])
@pytest.mark.filterwarnings("ignore:.*multi-threaded.*:DeprecationWarning")
def test_children_work_and_leave_their_parents_release_alone(people: str, kind: str) -> None:
    import multiprocessing

    release = covey.anonymize(people, **POLICY)
    child = multiprocessing.get_context(kind).Process(target=_in_a_child, args=(people, release.path))
    child.start()
    child.join(60)
    assert child.exitcode == 0
    assert release.verify()


def test_import_brings_in_little() -> None:
    """What makes an import slow is what it imports; the time itself is in the benchmark."""
    script = "import sys; before = set(sys.modules); import covey; print(*(set(sys.modules) - before))"
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    foreign = {name.split(".")[0] for name in done.stdout.split()} - set(sys.stdlib_module_names)
    heavy = {"argparse", "asyncio", "concurrent", "http", "importlib", "inspect", "logging", "multiprocessing", "pathlib", "sqlite3"}
    heavy |= {"subprocess", "tempfile", "threading", "unittest", "urllib", "zipfile"}
    assert foreign == {"covey"}
    assert not heavy & set(done.stdout.split())
    assert len(done.stdout.split()) < 80


def test_the_command_is_there(people: str) -> None:
    done = subprocess.run([sys.executable, "-m", "covey", "inspect", people, "--json"], capture_output=True, text=True)
    assert done.returncode == 0 and '"zip"' in done.stdout
    wrong = subprocess.run([sys.executable, "-m", "covey", "verify", "nothing"], capture_output=True, text=True)
    assert wrong.returncode == 2 and "nothing" in wrong.stderr


def test_a_release_is_opened_once_for_all_queries(people: str, tmp_path: Path) -> None:
    covey.anonymize(people, output=tmp_path / "release", **POLICY)
    release = covey.open(tmp_path / "release")
    first = release.query("SELECT COUNT(*) WHERE age < 30").answers
    os.rename(tmp_path / "release" / "table.csv", tmp_path / "table.csv")  # nobody reads it any more
    assert release.query("SELECT COUNT(*) WHERE age < 30").answers == first
    with pytest.raises(covey.InputError, match="age"):
        release.query("SELECT COUNT(*) WHERE agee < 30")
    os.rename(tmp_path / "table.csv", tmp_path / "release" / "table.csv")
    answers: list[Any] = []
    release.close()
    threads = [threading.Thread(target=lambda: answers.append(release.query("SELECT COUNT(*) WHERE age < 30").answers)) for _ in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert answers == [first] * 6
    covey.anonymize(people, output=tmp_path / "release", force=True, **{**POLICY, "privacy": covey.KAnonymity(12), "sensitive": [], "others": "drop"})
    assert release.query("SELECT COUNT(*) WHERE age < 30").answers != first  # it was replaced


def test_a_release_that_was_sent_writes_nowhere_else(people: str, tmp_path: Path) -> None:
    (tmp_path / "a").mkdir()
    covey.anonymize(people, **POLICY).save(tmp_path / "a" / "sent")
    (tmp_path / "secret.txt").write_text("secret")
    path = tmp_path / "a" / "sent" / "manifest.json"
    told = json.loads(path.read_text())
    release = covey.open(tmp_path / "a" / "sent")
    for name in ("../../secret.txt", str(tmp_path / "secret.txt"), "a//b", ""):
        path.write_text(json.dumps({**told, "files": [*told["files"], {"name": name, "rows": 1, "sha256": "0" * 64}]}))
        (tmp_path / "b" / "c").mkdir(parents=True, exist_ok=True)
        with pytest.raises(covey.InputError, match="is no file of a release"):
            release.save(tmp_path / "b" / "c" / "copy")
        with pytest.raises(covey.InputError, match="is no file of a release"):
            covey.open(tmp_path / "a" / "sent")
        assert not [*(tmp_path / "b").rglob("secret.txt")] and not (tmp_path / "b" / "c" / "copy").exists()
    for files in (5, [5], [{}]):
        path.write_text(json.dumps({**told, "files": files}))
        with pytest.raises(covey.InputError, match="is no release"):
            covey.open(tmp_path / "a" / "sent")


def test_no_folder_of_the_users_is_taken_for_one_that_was_left(people: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    monkeypatch.setattr("covey._folder._SHARED_MEMORY", str(tmp_path))
    own = [tmp_path / name for name in ("covey-release-2026", ".covey-scratch-2026", "covey-scratch-abcdefgh")]
    for folder in own:
        folder.mkdir()
        (folder / "mine.csv").write_text("a")
    covey.anonymize(people, **POLICY).write(tmp_path / "written.csv")
    assert all((folder / "mine.csv").exists() for folder in own)


def test_what_a_killed_program_left_goes_with_the_next_release(people: str) -> None:
    code = "import covey, sys, time; r = covey.anonymize(sys.argv[1], quasi='age', others='drop', privacy=covey.KAnonymity(2)); print(r.path, flush=True); time.sleep(60)"
    made = []
    for _ in range(2):
        child = subprocess.Popen([sys.executable, "-c", code, people], stdout=subprocess.PIPE, text=True)
        assert child.stdout is not None
        made.append((child, child.stdout.readline().strip()))
    (killed, left), (alive, kept) = made
    killed.kill()
    killed.wait()
    assert os.path.exists(left)
    own = covey.anonymize(people, **POLICY)
    assert not os.path.exists(left) and os.path.exists(kept) and own.verify()
    alive.kill()
    alive.wait()
    for child, _ in made:
        child.stdout and child.stdout.close()
    covey.anonymize(people, **POLICY)
    assert not os.path.exists(kept)


def test_a_release_in_a_folder_can_be_pickled(people: str, tmp_path: Path) -> None:
    release = covey.anonymize(people, **POLICY, output=tmp_path / "release")
    answers = release.query("SELECT COUNT(*)").answers
    assert pickle.loads(pickle.dumps(release)).query("SELECT COUNT(*)").answers == answers


@pytest.mark.parametrize("keys", [{"seed": True}, {"seed": False}, {"seed": [1, 2]}, {"seed": -1}, {"seed": 1.0}, {"seed": 1 << 64}, {"threads": True}, {"threads": 0}, {"force": "no"}, {"force": 2}])
def test_arguments_of_another_kind_are_named(people: str, keys: dict[str, Any]) -> None:
    with pytest.raises(covey.InputError, match=f"{next(iter(keys))} must be") as caught:
        covey.anonymize(people, **{**POLICY, **keys})
    assert caught.value.parameter == next(iter(keys))


def test_what_is_not_there_is_said_in_the_words_of_the_package(people: str) -> None:
    for data, keys, said in (
        (None, POLICY, "^no data: hand over a path"),
        (people, {}, "^the policy has no quasi-identifier"),
        (people, {**POLICY, "privacy": []}, "^the policy promises nothing"),
    ):
        with pytest.raises(covey.InputError, match=said):
            covey.anonymize(data, **keys)
    with pytest.raises(covey.InputError, match="policy is an option of the command alone"):
        covey.inspect(people, policy="policy.yaml")
    assert covey.inspect(people).figures["policy"] is None  # no file that has gone
    assert covey.combinations(people, "age", most=1) == covey.combinations(people, ["age"], most=1)


@pytest.mark.parametrize("copied", [copy.copy, copy.deepcopy, lambda release: pickle.loads(pickle.dumps(release))])
def test_a_copy_of_a_release_in_memory_lives_on_its_own(people: str, copied: Callable[[covey.Release], covey.Release]) -> None:
    release = covey.anonymize(people, **POLICY)
    other = copied(release)
    assert published(other) == published(release) and other.result == release.result and other.path != release.path
    release.close()
    assert other.verify(people).faithful and other.to_pandas().shape == (12, 5)
    folder = other.path
    del other
    assert not os.path.exists(folder)


def test_processes_hand_releases_over(people: str) -> None:
    with concurrent.futures.ProcessPoolExecutor(2, multiprocessing.get_context("spawn")) as pool:
        release = pool.submit(covey.anonymize, people, **POLICY).result()
    assert release.verify(people).faithful


def test_a_release_that_has_gone_is_said_so(people: str, tmp_path: Path) -> None:
    made, opened = covey.anonymize(people, **POLICY, output=tmp_path / "release"), covey.open(tmp_path / "release")
    shutil.rmtree(tmp_path / "release")
    for ask in (lambda: made.manifest, lambda: opened.query("SELECT COUNT(*)"), lambda: opened.verify(), lambda: opened.table):
        with pytest.raises(covey.InputError):
            ask()


def test_what_is_no_path_is_said_so(people: str) -> None:
    release = covey.anonymize(people, **POLICY)
    for no_path in (5, b"release", None):
        for take in (covey.open, covey.read, covey.Policy.read, covey.Policy().write, release.save, release.write):
            with pytest.raises(covey.InputError, match="a path is a text or a pathlib.Path, not"):
                take(no_path)  # type: ignore[operator]
    for given in ({"output": 5}, {"previous": 5}):
        with pytest.raises(covey.InputError, match="not int"):
            covey.anonymize(people, **POLICY, **given)
    with pytest.raises(covey.InputError, match="not int"):
        release.report(5)  # type: ignore[arg-type]


@pytest.mark.parametrize("method", ["mondrian", "anatomy"])
def test_persons_with_several_rows_stay_whole(tmp_path: Path, method: str) -> None:
    """Who a row belongs to is asked for, counted and compared from Python as by the command."""
    illness = ["flu", "cold", "gout", "asthma"]
    rows = [(f"p{p}", 20 + p + i, illness[p % 4]) for p in range(24) for i in range(1 + p // 12)]
    stays = write_csv(tmp_path / "stays.csv", dict(zip(["person", "age", "disease"], map(list, zip(*rows)))))
    keys: dict[str, Any] = {"entity": "person", "quasi": ["age"], "sensitive": "disease", "privacy": [{"model": "probabilistic-l-diversity", "l": 3}]}
    release = covey.anonymize(stays, method=method, seed=7, **keys)
    assert release.manifest["entity"] == {"units": 24}
    assert release.verify(stays).holds and "units" in release.tables
    counted = release.query("SELECT COUNT(DISTINCT entity) WHERE age < 32").answers[0]
    assert counted["lower"] <= len({row[0] for row in rows if row[1] < 32}) <= counted["upper"]
    assert release.measure(stays)["average_class_units"] >= 3
    ranked = {entry["method"]: entry["feasible"] for entry in covey.compare(stays, covey.Policy(**keys)).methods}
    assert ranked["mondrian"] and ranked["anatomy"] and not ranked["burel"]
