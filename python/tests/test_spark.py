"""covey.spark on a real cluster of two executors: the same promises, whatever the cluster does.

In an environment of their own (tools/python), and skipped where there is no PySpark or Java.
"""

from __future__ import annotations

import datetime
import hashlib
import json
import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("pyspark", reason="PySpark is not installed")

import covey
import covey.spark
from pyarrow import parquet
from covey.spark._deal import addresses, hash_of
from covey.spark._folder import Place
from pyspark.sql import SparkSession
from pyspark.sql import functions as F

POLICY: dict[str, Any] = {
    "quasi": ["age", "zip"],
    "sensitive": "disease",
    "others": "drop",
    "privacy": [{"model": "k-anonymity", "k": 5}],
    "method": "elastic",
}


def rows(spark: SparkSession, n: int = 3000) -> Any:
    """Made of a hash of the row's number, so that it is the same each time."""
    number = spark.range(n)
    mix = [F.pmod(F.xxhash64("id", F.lit(i)), F.lit(m)) for i, m in enumerate((70, 40, 6))]
    return number.select(
        (mix[0] + 18).cast("int").alias("age"),
        F.format_string("%05d", mix[1]).alias("zip"),
        mix[2].cast("int").alias("disease"),
        F.array("id").alias("list"),
    )


def published(path: Path) -> dict[str, str]:
    return {
        str(file.relative_to(path)): hashlib.sha256(file.read_bytes()).hexdigest() for file in sorted(path.rglob("*")) if file.is_file()
    }


def command(*words: str) -> tuple[int, Any]:
    program = os.environ.get("COVEY_BIN")
    if not program:
        pytest.skip("the command of the build is not here (COVEY_BIN)")
    done = subprocess.run([program, *words, "--json"], capture_output=True, text=True)
    return done.returncode, json.loads(done.stdout)


@pytest.fixture(scope="module")
def release(spark: SparkSession, tmp_path_factory: pytest.TempPathFactory) -> covey.spark.SparkRelease:
    """Of 100 rows, in two files; its path is an object."""
    return covey.spark.anonymize(rows(spark, 100), POLICY, tmp_path_factory.mktemp("small") / "release", rows_per_part=50)


def test_numbers_are_found_for_all_partitions(spark: SparkSession) -> None:
    for n in (1, 2, 7):
        frame = spark.createDataFrame([(number,) for number in addresses(n)], "number int").repartition(n, "number")
        placed = frame.select("number", F.hash("number"), F.spark_partition_id()).collect()
        assert sorted(row[2] for row in placed) == list(range(n))
        assert all(row[1] == hash_of(row[0]) for row in placed)


def test_numbers_and_days_have_no_writing_that_a_policy_could_state(spark: SparkSession, tmp_path: Path) -> None:
    frame = spark.createDataFrame([(i + 0.125, datetime.date(1960, 3, 1 + i)) for i in range(20)], ["income", "born"])
    policy = {"quasi": ["income", "born"], "input": {"decimal": ",", "date-format": "DD.MM.YYYY"}, "privacy": [{"model": "k-anonymity", "k": 2}], "method": "mondrian"}
    covey.spark.anonymize(frame, policy, tmp_path / "release", rows_per_part=10)
    lines = [f"{row.income};{row.born:%d.%m.%Y}".replace(".", ",", 1) for row in frame.collect()]
    (tmp_path / "people.csv").write_text("\n".join(["income;born", *lines]) + "\n")
    for original in (frame.toPandas(), tmp_path / "people.csv"):
        assert covey.open(tmp_path / "release").verify(original).faithful


def test_the_release_does_not_depend_on_partitions(spark: SparkSession, tmp_path: Path) -> None:
    found = []
    for n in (1, 7):
        target = tmp_path / f"release-{n}"
        release = covey.spark.anonymize(rows(spark).repartition(n), POLICY, str(target), rows_per_part=1000)
        found.append(published(target))
        assert sorted(os.listdir(tmp_path)) == [f"release-{m}" for m in (1, 7) if m <= n]
    assert found[0] == found[1]
    assert [file["name"] for file in release.manifest["files"]] == [f"table-{i:05d}.csv" for i in (1, 2, 3)]
    assert release.manifest["rows"] == 3000 and "seeded" not in release.manifest
    table = tmp_path / "rows.csv"
    rows(spark).drop("list").toPandas().to_csv(table, index=False)
    told = command("verify", str(target), "--original", str(table))[1]
    assert told["holds"] is True and told["faithful"] is True


def test_parquet_tables_hold_what_csv_tables_do(spark: SparkSession, tmp_path: Path) -> None:
    frame = rows(spark, 1000).withColumn("zip", F.when(F.col("zip") != "00003", F.col("zip")))
    of = {}
    spark.conf.set("spark.sql.files.maxRecordsPerFile", "100")  # that is not asked of a release
    for word in ("csv", "parquet"):
        of[word] = covey.spark.anonymize(frame, POLICY, str(tmp_path / word), rows_per_part=500, seed=7, format=word)
    spark.conf.unset("spark.sql.files.maxRecordsPerFile")
    names = [file["name"] for file in of["parquet"].manifest["files"] if "/" not in file["name"]]
    assert names == ["table-00001.parquet", "table-00002.parquet"]
    assert of["parquet"].manifest["classes"] == of["csv"].manifest["classes"]
    assert of["parquet"].table.count() == of["csv"].table.count() and of["parquet"].table.columns == of["csv"].table.columns
    # On the cluster, in a program, and with the command of the package.
    sql = "SELECT COUNT(*) WHERE age BETWEEN 30 AND 45"
    assert of["parquet"].verify().holds and of["parquet"].query(sql).answers == of["csv"].query(sql).answers
    opened, plain = covey.open(str(tmp_path / "parquet")), covey.open(str(tmp_path / "csv"))
    assert opened.verify() and opened.query(sql).answers == plain.query(sql).answers
    assert {name: table.to_pylist() for name, table in opened.tables.items()} == {name: table.to_pylist() for name, table in plain.tables.items()}
    run = [sys.executable, "-m", "covey", "verify", str(tmp_path / "parquet"), "--json"]
    told = subprocess.run(run, capture_output=True, text=True)
    assert told.returncode == 0 and json.loads(told.stdout)["holds"] is True, told.stderr
    # The C command alone says what is missing; a file that was changed is found.
    said = subprocess.run([os.environ["COVEY_BIN"], "verify", str(tmp_path / "parquet")], capture_output=True, text=True)
    assert said.returncode == 2 and 'pip install ".[files]"' in said.stderr
    first = tmp_path / "parquet" / names[0]
    table = parquet.read_table(first)
    parquet.write_table(table.slice(1), first)
    assert not of["parquet"].verify().holds and not covey.open(str(tmp_path / "parquet")).verify()
    first.write_bytes(b"PAR1")
    with pytest.raises(covey.InputError, match="is no Parquet file"):
        covey.open(str(tmp_path / "parquet"))
    again = subprocess.run(run, capture_output=True, text=True)
    assert again.returncode == 2 and "is no Parquet file" in again.stderr and "Traceback" not in again.stderr


def test_a_method_keeps_its_promise(spark: SparkSession, tmp_path: Path) -> None:
    """The others take the same steps (test_recipe)."""
    policy = {**POLICY, "privacy": [{"model": "ke-anonymity", "k": 3, "e": 2}], "method": "ke-permutation"}
    release = covey.spark.anonymize(rows(spark, 1000), policy, str(tmp_path / "release"), rows_per_part=400)
    assert release.manifest["method"]["name"] == "ke-permutation" and release.manifest["published_rows"] == 1000
    assert len([file for file in release.manifest["files"] if "-00002." in file["name"]]) > 0
    assert command("verify", release.path)[1]["holds"] is True
    assert list(release.tables) == covey.open(release.path).table_names == ["quasi", "sensitive", "help"]
    assert release.table.count() == 1000


@pytest.mark.parametrize(
    "method, model, names",
    [
        ({"name": "perturbation", "matrix": True}, {"model": "enhanced-beta-likeness", "beta": 2}, {"table-00001.parquet"}),
        ("anatomy", {"model": "probabilistic-l-diversity", "l": 3}, {"quasi-00001.parquet", "sensitive-00001.parquet"}),
    ],
)
def test_what_is_random_follows_from_the_seed_and_the_part(
    spark: SparkSession, tmp_path: Path, method: str | dict[str, Any], model: dict[str, Any], names: set[str]
) -> None:
    """Not from partitions, nor from what files the tables are in."""
    policy = {**POLICY, "privacy": [model], "method": method}
    for n, word in ((1, "csv"), (7, "parquet")):
        covey.spark.anonymize(rows(spark, 1000).repartition(n), policy, str(tmp_path / word), rows_per_part=500, seed=7, format=word)
    plain, opened = covey.open(str(tmp_path / "csv")), covey.open(str(tmp_path / "parquet"))
    assert plain.table.num_rows == opened.table.num_rows == 1000
    assert {name: table.to_pylist() for name, table in opened.tables.items()} == {name: table.to_pylist() for name, table in plain.tables.items()}
    others = [name for name in os.listdir(plain.path) if name in ("perturbation.csv", "matrix.csv")]
    assert len(others) == (2 if model["model"] == "enhanced-beta-likeness" else 0)
    assert all((tmp_path / "csv" / name).read_bytes() == (tmp_path / "parquet" / name).read_bytes() for name in others)
    assert names <= set(os.listdir(tmp_path / "parquet"))
    assert opened.verify() and command("verify", plain.path)[1]["holds"] is True


WHOLE: dict[str, tuple[dict[str, Any], str]] = {
    "full-domain": ({"method": {"name": "full-domain"}, "suppression": {"limit": "0.05"}}, "cannot know its levels"),
    "slicing": ({"method": "slicing", "privacy": [{"model": "sliced-l-diversity", "l": 2}]}, "finds its columns in all rows"),
    "distribution": ({"method": "distribution", "privacy": [{"model": "p-private"}]}, "not done in parts"),
    "optimal-partition": ({"method": "optimal-partition", "quasi": {"age": {"interval": {"from": 0, "to": 99, "widths": [20, 40]}}}}, "best for all rows"),
    "auto": ({"method": "auto"}, "whole table"),
    "fixed groups": (
        {"method": "ke-permutation", "privacy": [{"model": "ke-anonymity", "k": 3, "e": 1}], "groups": {"by": ["zip"]}},
        "fixed groups",
    ),
    "regions": ({"method": {"name": "mondrian", "publish-boxes": "cut"}, "suppression": {"limit": "0.05"}}, "a region could end"),
}


@pytest.mark.parametrize("case", WHOLE)
def test_what_needs_all_rows_is_made_by_one_executor(spark: SparkSession, tmp_path: Path, case: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """The release of the command, to the byte, in files of so many rows."""
    keys, reason = WHOLE[case]
    frame, policy = rows(spark, 800), {**POLICY, **keys}
    monkeypatch.setattr("covey.spark._whole.ROWS_PER_FILE", 300)
    with pytest.warns(covey.CoveyWarning, match=f"one executor .*{reason}"):
        release = covey.spark.anonymize(frame, policy, str(tmp_path / "release"), seed=7)
    frame.drop("list").toPandas().to_csv(tmp_path / "rows.csv", index=False)
    covey.Policy(**policy).write(tmp_path / "policy.yaml")
    code, told = command("anonymize", str(tmp_path / "policy.yaml"), "--input", str(tmp_path / "rows.csv"), "-o", str(tmp_path / "own"), "--seed", "7", "--files", "3")
    assert code == 0, told
    assert published(tmp_path / "release") == published(tmp_path / "own")
    assert sorted(os.listdir(tmp_path)) == ["own", "policy.yaml", "release", "rows.csv"]
    assert release.manifest["rows"] == 800 and command("verify", release.path)[1]["holds"] is True


def test_one_executor_says_what_is_wrong(spark: SparkSession, tmp_path: Path) -> None:
    policy = {**POLICY, "method": "full-domain"}
    target = str(tmp_path / "release")
    for words, says in (({"rows_per_part": 100}, "rows_per_part: method full-domain is not done in parts"), ({"format": "parquet"}, "done in parts")):
        with pytest.raises(covey.InputError, match=says):
            covey.spark.anonymize(rows(spark, 100), policy, target, **words)
    with pytest.warns(covey.CoveyWarning), pytest.raises(covey.Infeasible, match="k-anonymity") as refused:
        covey.spark.anonymize(rows(spark, 30), {**policy, "privacy": [{"model": "k-anonymity", "k": 31}]}, target)
    assert refused.value.nearest and "covey-" not in str(refused.value)
    gaps = rows(spark, 100).withColumn("disease", F.when(F.col("age") > 30, F.col("disease")))
    with pytest.warns(covey.CoveyWarning), pytest.raises(covey.InputError, match="the DataFrame") as raised:
        covey.spark.anonymize(gaps, policy, target)
    assert raised.value.column == "disease" and raised.value.file is None and "covey-" not in str(raised.value)
    assert os.listdir(tmp_path) == []


def test_persons_with_several_rows_stay_together(spark: SparkSession, tmp_path: Path) -> None:
    """The column that says whose rows they are is not published, but looked at."""
    frame = rows(spark, 600).withColumn("person", F.pmod(F.xxhash64("age", "zip"), F.lit(150)))
    policy = {
        "attributes": [
            {"name": "age", "role": "quasi-identifier"},
            {"name": "zip", "role": "quasi-identifier"},
            {"name": "disease", "role": "insensitive"},
            {"name": "person", "role": "entity"},
        ],
        "others": "drop",
        "privacy": POLICY["privacy"],
        "method": "mondrian",
    }
    with pytest.warns(covey.CoveyWarning, match="rows of a unit would lie in several"):
        release = covey.spark.anonymize(frame, policy, str(tmp_path / "release"))
    assert release.manifest["entity"]["units"] == frame.select("person").distinct().count() and "person" not in release.table.columns
    assert command("verify", release.path)[1]["holds"] is True


@pytest.mark.parametrize("method", ["elastic", "full-domain"])
def test_names_are_what_they_say(spark: SparkSession, tmp_path: Path, method: str) -> None:
    """Whatever Spark reads into them: parts of structs, quotes, or the same name in other letters. A warning about one is
    told where the package is called."""
    frame = rows(spark, 400).select("age", "zip", "disease", F.lit(1).alias("one")).toDF("a.b", "c`d", "e", "E")
    policy = {**POLICY, "quasi": ["a.b", "c`d"], "sensitive": "E", "insensitive": "e", "method": method}
    with pytest.warns(covey.CoveyWarning) as said:
        release = covey.spark.anonymize(frame, policy, str(tmp_path / method))
    about = [one for one in said if 'no promise is about the sensitive attribute "E"' in str(one.message)]
    assert [one.filename for one in about] == [__file__]
    assert release.table.columns == ["class", "a.b", "c`d", "e", "E"]
    assert release.verify() and command("verify", release.path)[1]["holds"] is True


def test_texts_are_the_same_only_if_they_are(spark: SparkSession, tmp_path: Path) -> None:
    zips = F.expr("CASE WHEN zip < '00020' THEN 'A' ELSE 'a' END COLLATE UTF8_LCASE")
    release = covey.spark.anonymize(rows(spark, 400).withColumn("zip", zips), POLICY, str(tmp_path / "release"))
    assert {row["zip"] for row in release.table.select("zip").distinct().collect()} >= {"A", "a"}


@pytest.mark.parametrize("source", [{"null": "NA", "trim": "false"}, {"null": ["NA", "400"], "trim": "true"}])
def test_what_is_missing_is_what_the_library_says(spark: SparkSession, tmp_path: Path, source: dict[str, Any]) -> None:
    """Not what stands in the text, in other blanks, or how often something is there."""
    number = F.pmod("disease", F.lit(4))
    texts = F.array(*map(F.lit, ("N", "NA", "\tNA ", "y")))
    frame = rows(spark, 400).withColumn("disease", F.element_at(texts, number.cast("int") + 1)).withColumn("zip", F.lit("z")).drop("list")
    frame.toPandas().to_csv(tmp_path / "rows.csv", index=False)
    policy = {**POLICY, "input": {**source, "missing-sensitive": "drop"}}
    release = covey.spark.anonymize(frame, policy, str(tmp_path / "release"))
    covey.Policy(**policy).write(tmp_path / "policy.yaml")
    told = command("anonymize", str(tmp_path / "policy.yaml"), "--input", str(tmp_path / "rows.csv"), "-o", str(tmp_path / "own"))[1]
    assert release.manifest["published_rows"] == told["published_rows"]


@pytest.mark.parametrize("words", [{"seed": -1}, {"seed": 1 << 64}, {"seed": 0.5}, {"seed": True}, {"rows_per_part": 0}, {"rows_per_part": 2.5}, {"rows_per_part": True}])
def test_numbers_are_looked_at_first(spark: SparkSession, tmp_path: Path, words: dict[str, Any]) -> None:
    with pytest.raises(covey.InputError, match="must be a whole number"):
        covey.spark.anonymize(rows(spark, 100), POLICY, str(tmp_path / "release"), **words)


def with_types(df: Any) -> Any:
    return df.withColumn("age", F.concat(F.lit("about "), "age"))


@pytest.mark.parametrize(
    "change, error, column, says",
    [
        (lambda df: df.limit(0), covey.InputError, None, "has no row"),
        (lambda df: "people.csv", covey.InputError, None, "str is no DataFrame of Spark"),
        (lambda df: df.where("list[0] < 3"), covey.Infeasible, None, "k-anonymity"),
        (lambda df: df.withColumn("zip", F.struct("zip")), covey.InputError, "zip", 'column "zip": a column of type struct'),
        (lambda df: df.withColumn("age", F.current_timestamp()), covey.InputError, "age", 'column "age": a column of type timestamp'),
        (lambda df: df.drop("age"), covey.InputError, "age", 'no column "age"'),
        (
            lambda df: df.withColumn("disease", F.when(F.col("age") > 30, F.col("disease"))),
            covey.InputError,
            "disease",
            'column "disease" is missing in',
        ),
        (with_types, covey.InputError, "age", '"about '),
        (lambda df: df.withColumn("age", F.col("age") / 0), covey.SystemError_, None, "DIVIDE_BY_ZERO"),
    ],
)
def test_bad_input_is_told_by_the_driver(
    spark: SparkSession, tmp_path: Path, change: Any, error: type[covey.Error], column: str | None, says: str
) -> None:
    policy = {key: POLICY[key] for key in ("others", "privacy", "method")}
    policy["attributes"] = [
        {"name": "age", "role": "quasi-identifier", "type": "integer"},
        {"name": "zip", "role": "quasi-identifier"},
        {"name": "disease", "role": "sensitive"},
    ]
    with pytest.raises(error) as raised:
        covey.spark.anonymize(change(rows(spark, 200)), policy, str(tmp_path / "release"))
    assert says in str(raised.value)
    assert raised.value.column == column
    assert "Traceback" not in str(raised.value) and "\n" not in str(raised.value)
    assert os.listdir(tmp_path) == []


def test_a_name_that_the_release_has_stands_on_no_row(spark: SparkSession, tmp_path: Path) -> None:
    with pytest.raises(covey.InputError, match='^the DataFrame: column "class"') as raised:
        covey.spark.anonymize(rows(spark, 100).withColumnRenamed("zip", "class"), {**POLICY, "quasi": ["age", "class"]}, tmp_path / "release")
    assert raised.value.row is None and raised.value.column == "class"


@pytest.mark.parametrize("method", ["elastic", "full-domain"])
@pytest.mark.filterwarnings("ignore::covey.CoveyWarning")
def test_a_hierarchy_is_called_what_the_policy_calls_it(spark: SparkSession, tmp_path: Path, method: str) -> None:
    """Not what it is called where it is needed; and a row has no number."""
    (tmp_path / "ages.csv").write_text("".join(f"{age};*\n" for age in range(19, 99)))
    path = str(tmp_path / "ages.csv")
    policy = {**POLICY, "quasi": {"age": {"file": path}}, "method": method}
    with pytest.raises(covey.InputError) as raised:
        covey.spark.anonymize(rows(spark, 300), policy, str(tmp_path / "release"))
    assert raised.value.column == "age" and raised.value.row is None
    assert str(raised.value).startswith('the DataFrame: column "age"') and path in str(raised.value)
    assert "covey-" not in str(raised.value).replace(path, "")


def test_a_target_is_replaced_only_if_it_is_a_release(spark: SparkSession, tmp_path: Path) -> None:
    (tmp_path / "other").mkdir()
    (tmp_path / "other" / "thesis.txt").write_text("dear")
    for force in (False, True):
        with pytest.raises(covey.InputError, match="exists already" if not force else "is no release"):
            covey.spark.anonymize(rows(spark, 100), POLICY, str(tmp_path / "other"), force=force)
    for listing in ("[]", '{"name": "an app"}', '{"files": [{"name": "thesis.txt"}]}'):
        (tmp_path / "other" / "manifest.json").write_text(listing)
        with pytest.raises(covey.InputError, match="is no release, and is not replaced"):
            covey.spark.anonymize(rows(spark, 100), POLICY, str(tmp_path / "other"), force=True)
    assert (tmp_path / "other" / "thesis.txt").read_text() == "dear"
    os.remove(tmp_path / "other" / "manifest.json")
    with pytest.raises(covey.InputError, match="nosuch"):
        covey.spark.anonymize(rows(spark, 100), POLICY, "nosuch://there/release")
    with pytest.raises(covey.InputError, match="manifest.json cannot be read"):
        covey.spark.open(spark, str(tmp_path / "other"))


@pytest.mark.filterwarnings("ignore::covey.CoveyWarning")
def test_a_release_is_replaced_whole(spark: SparkSession, release: covey.spark.SparkRelease, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    target, policy = tmp_path / "release", {**POLICY, "method": "full-domain"}
    shutil.copytree(release.path, target)
    before = published(target)
    (target / "empty").mkdir()
    with pytest.raises(covey.InputError, match="more than a release"):
        covey.spark.anonymize(rows(spark, 200), policy, str(target), force=True)
    (target / "empty").rmdir()
    with pytest.raises(covey.InputError, match="in the folder of a release"):
        covey.spark.anonymize(rows(spark, 200), policy, str(target / "deep" / "release"))
    assert published(target) == before
    (tmp_path / "link").symlink_to(target)
    with pytest.raises(covey.InputError, match="symbolic link"):
        covey.spark.anonymize(rows(spark, 200), policy, str(tmp_path / "link"), force=True)
    # What was there is there again if the new one does not get to its place.
    moved = Place.rename

    def fail(place: Place, to: Place) -> None:
        if to.path == str(target) and not place.path.endswith(".old"):
            raise covey.SystemError_("the network has gone")
        moved(place, to)

    with monkeypatch.context() as patch:
        patch.setattr(Place, "rename", fail)
        with pytest.raises(covey.SystemError_, match="network"):
            covey.spark.anonymize(rows(spark, 200), policy, str(target), force=True)
    assert published(target) == before
    covey.spark.anonymize(rows(spark, 200), policy, str(target), force=True)
    assert published(target) != before and sorted(os.listdir(tmp_path)) == ["link", "release"]


def test_a_path_is_no_pattern(spark: SparkSession, release: covey.spark.SparkRelease, tmp_path: Path) -> None:
    """Nothing is read that has a similar name, as each of its signs would match it, or all of them together."""
    for alike in ("px1a", "px[1]{a,b}*", "p?1{a,b}*", "p?[1]a*", "p?[1]{a,b}x"):
        shutil.copytree(release.path, tmp_path / alike)
    found = covey.spark.anonymize(rows(spark, 200), POLICY, str(tmp_path / "p?[1]{a,b}*"), rows_per_part=100)
    assert found.table.count() == 200 and found.verify()
    assert found.query("SELECT COUNT(*)").answers[0]["lower"] == 200


def test_a_path_may_be_an_object(spark: SparkSession, release: covey.spark.SparkRelease, tmp_path: Path) -> None:
    path = Path(release.path)
    assert path.is_dir() and "release': generalized, k-anonymity" in repr(release)
    assert covey.spark.open(spark, path).manifest == release.manifest
    assert covey.spark.verify(spark, path)
    assert covey.spark.query(spark, path, "SELECT COUNT(*)").answers[0]["lower"] == 100
    (tmp_path / "usual").mkdir()
    assert path.stat().st_mode == (tmp_path / "usual").stat().st_mode


def test_a_folder_of_something_else_is_no_release(spark: SparkSession, tmp_path: Path) -> None:
    for text in ("", "{}", "[]", "null", '{"form": "generalized", "promises": [], "files": 5}'):
        (tmp_path / "manifest.json").write_text(text)
        with pytest.raises(covey.InputError, match="is no release"):
            covey.spark.open(spark, tmp_path)


@pytest.mark.parametrize(("target", "said"), [(None, "a path is"), (5, "a path is"), (b"x", "a path is"), ("", "is empty"), ("x:y", "takes no")])
def test_a_path_that_is_none_is_said_so(spark: SparkSession, tmp_path: Path, target: Any, said: str) -> None:
    """The release had its name already when Hadoop found that it has a colon."""
    with pytest.raises(covey.InputError, match=said):
        covey.spark.anonymize(rows(spark, 100), POLICY, str(tmp_path / target) if target == "x:y" else target)
    assert os.listdir(tmp_path) == []


def test_the_notebook_runs(spark: SparkSession) -> None:
    notebook = json.loads((Path(__file__).parents[2] / "docs" / "spark-tutorial.ipynb").read_text())
    names: dict[str, Any] = {}
    for cell in notebook["cells"]:
        if cell["cell_type"] == "code":
            exec("".join(cell["source"]), names)
    assert names["verdict"].holds and len(names["answer"].answers) == 2
