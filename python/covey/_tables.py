"""The main job, a first look, and every method side by side."""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any

from . import _folder, _parquet
from ._call import Progress, run_json, words_of
from ._data import Data, Source
from ._errors import InputError, SystemError_
from ._policy import Policy, PolicyLike, policy_of
from ._release import Release, paths_of

if TYPE_CHECKING:
    import pandas


def _run_with_policy(
    words: list[str], data: Data, policy: Policy, progress: Progress, source: Source | None = None
) -> tuple[bool, Any]:
    """A command with the policy in place of the file that it would name; data None: the policy names its input."""
    if data is None and policy.input_path is None:
        raise InputError('no data: hand over a path, or a table such as a DataFrame, or name a file in the policy: input={"path": ...}')
    text, name, places = policy._given()
    source = source or (Source(data, policy.drops) if data is not None else None)
    if source is not None:
        words = [*words, f"--input={source.name}"]
    return run_json(words, [name], policy=text, places=places, sources=[source] if source else [], progress=progress)


def anonymize(
    data: Data,
    policy: PolicyLike = None,
    *,
    output: str | os.PathLike[str] | None = None,
    force: bool = False,
    seed: int | None = None,
    threads: int | None = None,
    progress: Progress = None,
    links: str | os.PathLike[str] | None = None,
    ledger: str | os.PathLike[str] | None = None,
    previous: Iterable[Release | str | os.PathLike[str]] = (),
    **policy_keys: Any,
) -> Release:
    """Makes a release of a table that keeps every promise of a policy, verified from its files.

    Args:
        data: the table: a path (CSV, also .gz and .zst; sqlite:FILE?table=T; postgresql://...), or anything with
            __arrow_c_stream__ (pandas, polars, pyarrow, DuckDB ...); None: the policy's input. Of a DataFrame of pandas
            the index is no data.
        policy: a Policy, a path, or a mapping in the shape of the YAML.
        output: the folder to write to; None: the release lives in memory until it is saved, for its owner's eyes only.
        force: replace a release that is there and holds nothing else.
        seed: makes what is random repeatable, for tests and experiments: a known seed undoes a shuffle.
        threads: how many to use; None: one per processor. Results do not depend on it.
        progress: called with (phase, done, to_do) now and then, to_do 0 if unknown; returning False stops the work.
            True: a bar, if tqdm is installed.
        links: a file to write the class of each row to, by which verify, attack and report prove what is promised over
            persons; private, and refused in the folder of a release.
        ledger: the private file that knows all releases of a table that changes: m-invariance needs it, and makes it with
            the first of them (docs/design/m-invariance.md).
        previous: all releases that the ledger knows, in any order.
        policy_keys: keys of a policy, as for Policy(); they win over policy's.

    Raises:
        Infeasible: no release can keep the policy; .nearest is what could be kept.
        InputError: wrong policy or data, with file, row and column.
        SystemError_: memory, disk or a server failed. KeyboardInterrupt (Ctrl-C) stops the work.
        Whatever is raised, nothing half-written stays.

    Source: docs/design, one page per method; covey.methods() names the papers.
    """
    wanted = policy_of(policy, policy_keys)
    words = words_of(
        "anonymize", force=force, seed=seed, threads=threads, links=links, ledger=ledger, previous=paths_of(previous)
    )
    if output is not None:
        target = _folder.path_of(output)
        _, result = _run_with_policy([*words, f"--output={target}"], data, wanted, progress)
        return Release(target, result=result)
    return _anonymize_in_memory(words, data, wanted, progress)


def _anonymize_in_memory(words: list[str], data: Data, policy: Policy, progress: Progress) -> Release:
    source = Source(data, policy.drops) if data is not None else None
    size = None
    if source is not None:
        size = source.size if source.in_memory else _size_of(source.name)
    places = _folder.places(size)
    for place in places:
        folder = _folder.make(place)
        target = os.path.join(folder, "release")
        try:
            _, result = _run_with_policy([*words, f"--output={target}"], data, policy, progress, source)
            result["release"] = None
            return Release(target, temporary=True, result=result)
        except BaseException as error:
            _folder.remove(folder)
            if not isinstance(error, SystemError_) or place == places[-1]:
                raise
    raise AssertionError("there is always a place")


def _size_of(path: str) -> int | None:
    try:
        return os.path.getsize(path) * 4
    except (OSError, ValueError):
        return None


def open(path: str | os.PathLike[str]) -> Release:
    """The release in a folder. InputError if there is none; verify() says whether it holds.

    One whose tables are Parquet files (covey.spark) is read into memory, as one of CSV files.
    """
    folder = _folder.path_of(path)
    is_parquet = _parquet.is_release(folder)
    release = Release(_parquet.as_csv(folder) if is_parquet else folder, temporary=is_parquet)
    try:
        release.manifest["form"], release.manifest["promises"], [_folder.plain_name(entry["name"]) for entry in release.manifest["files"]]
    except InputError:
        raise
    except (ValueError, KeyError, TypeError) as error:
        raise InputError(f"{folder}: is no release: manifest.json is not one ({error})", file=folder) from error
    return release


class Inspection:
    """What the columns of a table are like. It shows counts and never a cell.

    Attributes:
        columns: one mapping per column: name, type, distinct, missing, unique_rows, uniqueness, suggested role with its
            reason, suggested hierarchy; of a file with labels also label, value_labels, missing_values (what stands for
            missing ones), format, measure.
        n_rows: rows of the table.
        figures: all that ``covey inspect --json`` says.
    """

    def __init__(self, figures: dict[str, Any], policy: Policy) -> None:
        self.figures = figures
        self.columns: list[dict[str, Any]] = figures["columns"]
        self.n_rows: int = figures["rows"]
        self._policy = policy

    def policy(self) -> Policy:
        """A policy to start from; a person has to decide."""
        return self._policy

    def to_pandas(self) -> pandas.DataFrame:
        """A row per column."""
        import pandas

        return pandas.DataFrame(self.columns)

    def __repr__(self) -> str:
        return f"<covey.Inspection: {self.n_rows} rows, {len(self.columns)} columns>"

    def _repr_html_(self) -> str:
        from . import _html

        return _html.table(self.columns)


def inspect(data: Data, *, progress: Progress = None, **options: Any) -> Inspection:
    """Looks at every column of a table (a path, or a table in memory): type, values, missing cells, how many rows it
    singles out, suggested role. options: those of ``covey inspect``.

    Raises InputError for a table that cannot be read.
    """
    if "policy" in options:
        raise InputError("policy is an option of the command alone: inspect(data).policy() is one to start from", parameter="policy")
    source = Source(data)
    folder = _folder.make(_folder.places(None)[0])
    path = os.path.join(folder, "policy.yaml")
    try:
        words = words_of("inspect", policy=path, **options)
        _, figures = run_json(words, [source.name], sources=[source], progress=progress)
        policy = Policy.read(path)
    finally:
        _folder.remove(folder)
    figures["policy"] = None  # the file has gone
    keys = policy.to_dict()
    if source.in_memory:
        keys.get("input", {}).pop("path", None)
    else:
        keys.setdefault("input", {})["path"] = source.name
    return Inspection(figures, Policy.from_dict(keys))


class Comparison:
    """Every method that can keep a policy's promises, the best first.

    Attributes:
        methods: one mapping each: method, feasible, reason, ail, query_error, attack, seconds ... Where something was
            varied, its value stands first, and the methods of each combination follow those of the one before.
    """

    def __init__(self, figures: dict[str, Any]) -> None:
        self.figures = figures
        self.methods: list[dict[str, Any]] = (
            [{**one["vary"], **method} for one in figures["combinations"] for method in one["methods"]]
            if "combinations" in figures
            else figures["methods"]
        )

    def to_pandas(self) -> pandas.DataFrame:
        """A row per method."""
        import pandas

        return pandas.DataFrame(self.methods)

    def __repr__(self) -> str:
        return f"<covey.Comparison: {', '.join(dict.fromkeys(m['method'] for m in self.methods if m['feasible']))}>"

    def _repr_html_(self) -> str:
        from . import _html

        return _html.table(self.methods)


def _varied(vary: dict[str, Any] | None) -> list[str]:
    """The words of --vary; a list among the values is one of names."""
    if vary is not None and not (isinstance(vary, Mapping) and all(isinstance(values, Iterable) and not isinstance(values, str) for values in vary.values())):
        raise InputError(f'vary must be a mapping to lists, such as {{"k": [3, 5, 10]}}, not {vary!r}', parameter="vary")
    return [
        f"{key}=" + ",".join(json.dumps(list(v)) if isinstance(v, (list, tuple)) else str(v) for v in values)
        for key, values in (vary or {}).items()
    ]


def compare(
    data: Data,
    policy: PolicyLike = None,
    *,
    seed: int | None = None,
    threads: int | None = None,
    progress: Progress = None,
    vary: dict[str, Any] | None = None,
    options: dict[str, Any] | None = None,
    **policy_keys: Any,
) -> Comparison:
    """Runs every method on a table under a policy and ranks what they make. Nothing is published.

    data, policy, seed, threads, progress, policy_keys: as for anonymize(). vary: what compared policies differ in, such
    as {"k": [3, 5, 10], "quasi": [["age", "zip"], ["age"]]}. options: those of ``covey compare``, such as
    {"objective": "query-error", "queries": 100}.
    """
    if options is not None and not isinstance(options, Mapping):
        raise InputError(f'options must be a mapping such as {{"queries": 100}}, not {options!r}', parameter="options")
    words = words_of("compare", seed=seed, threads=threads, vary=_varied(vary), **(options or {}))
    return Comparison(_run_with_policy(words, data, policy_of(policy, policy_keys), progress)[1])


def _listed(command: str) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = run_json([command])[1][command]
    return found


def models() -> list[dict[str, Any]]:
    """The privacy models that are built in, with parameters, bounds and source."""
    return _listed("models")


def presets() -> list[dict[str, Any]]:
    """The presets that are built in: promises and treatments by name."""
    found: list[dict[str, Any]] = run_json(["models"])[1]["presets"]
    return found


def methods() -> list[dict[str, Any]]:
    """The methods that are built in, with parameters, what they can promise and source."""
    return _listed("methods")


def attacks() -> list[dict[str, Any]]:
    """The attacks that are built in, with what their figure means and source."""
    return _listed("attacks")


def formats() -> list[dict[str, Any]]:
    """The formats that tables are read from and written to."""
    return _listed("formats")
