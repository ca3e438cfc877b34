"""What the studio knows: the table, what is wished for it, the release. All tabs of the browser show the same.

Nothing here draws; whoever draws asks `versions` what has changed since.
"""

from __future__ import annotations

import csv
import difflib
import os
import warnings
from collections import Counter
from collections.abc import Callable
from typing import Any

import covey

from . import column_lines, command_line
from .contest import Candidate, Contest
from .jobs import Job
from .saving import saving, whole
from .table import Table
from .views import Views
from .words import Refused

ROLES = ("identifier", "quasi-identifier", "sensitive", "insensitive", "entity", "weight")
MISSING = {"sensitive": "missing-sensitive", "quasi-identifier": "missing-quasi"}  # keys of a policy's `input`
MISSING_WORDS = ("error", "drop", "value")
_ROLE_OF_OTHERS = {"drop": "identifier", "insensitive": "insensitive"}


def kind_of(path: str) -> str:
    """What was given: table, policy or release."""
    if os.path.isdir(path):
        return "release"
    return "policy" if path.lower().endswith((".yaml", ".yml")) else "table"


class Studio:
    """The work of one person.

    Attributes:
        path: what was opened, and kind: "", table, policy, release.
        table: the table that was opened, None while there is none.
        within: the column of what persons are part of, such as households; empty: of nothing.
        promises, method, suppression: wishes, in the shape of a policy.
        release: what was made or received, with verdict and the policy that made it.
        original: the table that a received release was compared with.
        probing: the trial whether the promises can be kept.
        job: the work that is being done, or was done last.
        warnings: what the library warned of in the last work that ended well.
        views: what can be seen of the release.
        versions: counts changes by topic: table, wishes, release, views, job, saved, compare, probe, promises (which there are).
    """

    def __init__(self) -> None:
        self.versions: Counter[str] = Counter()
        self.job: Job | None = None
        self.path = ""
        self.kind = ""
        self.error: Exception | None = None
        self._forget()

    def _forget(self) -> None:
        self.table: Table | None = None
        self.original: Table | None = None
        self._keys: dict[str, Any] = {}
        self.roles: dict[str, str] = {}
        self.within = ""
        self.hierarchies: dict[str, Any] = {}
        self._lines: dict[str, list[list[str]]] = {}
        self._before: dict[str, list[Any]] = {}
        self.promises: list[dict[str, Any]] = []
        self.method: dict[str, Any] = {"name": "auto"}
        self.suppression = "0"
        self.release: covey.Release | None = None
        self.release_policy: covey.Policy | None = None
        self.verdict: covey.Verdict | None = None
        self.views: Views | None = None
        self.contest: Contest | None = None
        self._behind: Job | None = None
        self.unique: Job | None = None
        self._unique_of: list[str] = []
        self.presets: list[Any] = []
        self.probing: Job | None = None
        self.saved: dict[str, str] = {}
        self._saved_policy: covey.Policy | None = None
        self.warnings: list[str] = []
        self._written: set[str] = set()

    def end(self) -> None:
        """Stops all work."""
        for job in (self.job, self._behind, self.probing, self.unique):
            if job is not None:
                job.cancel()
                job.wait(10)

    def touch(self, *topics: str) -> None:
        self.versions.update(topics)

    # ---- work ----

    def start(self, name: str, work: Callable[[Job], Any]) -> Job | None:
        """Starts long work, one at a time. None: other work is going on."""
        if self.job is not None and self.job.is_running:
            return None

        def run(job: Job) -> Any:
            heard: list[str] = []
            with warnings.catch_warnings():
                warnings.simplefilter("always", covey.CoveyWarning)
                warnings.showwarning = lambda message, *rest, **more: heard.append(str(message))
                result = work(job)
            self.warnings = list(dict.fromkeys(heard))
            return result

        self.job = Job(name, run, lambda: self.touch("job"))
        self.touch("job")
        return self.job.start()

    # ---- opening ----

    def open(self, path: str) -> None:
        """Opens whatever the path is; the page shows how far that is. What was there before stays if it cannot be opened."""
        if self.job is not None and self.job.is_running:
            raise Refused("job.busy")
        before = {key: value for key, value in vars(self).items() if key not in ("versions", "job")}
        self.path, self.kind, self.error = path, kind_of(path), None
        self._forget()
        self.touch("table", "wishes", "release", "saved")

        def work(job: Job) -> None:
            try:
                (self._open_release if self.kind == "release" else self._open_table)(path, job)
            except BaseException:
                if before["table"] is not None or before["release"] is not None:
                    vars(self).update(before)
                    self.touch("table", "wishes", "promises", "hierarchies", "release", "views", "compare", "probe", "unique", "saved")
                raise

        self.start("open", work)

    def _open_table(self, path: str, job: Job) -> None:
        if self.kind == "policy":
            policy = covey.Policy.read(path)
            if policy.input_path is None:
                raise covey.InputError(f"{path}: names no table: write `input: {{path: ...}}`", file=path)
            table = Table.read(policy.input_path, job, policy.to_dict().get("input", {}))
            # Relative paths of the policy are seen from its folder; here and on the command line, from this one.
            keys = policy.replace(version=1).to_dict()
            _find_columns(table, keys)
        else:
            table = Table.read(path, job)
            keys = table.inspection.policy().to_dict()
            for attribute in keys["attributes"]:
                attribute.pop("type", None)  # guessed alike when it is left out
        self.table = table
        self._take(keys)
        self.touch("table", "wishes", "promises")

    def _take(self, keys: dict[str, Any]) -> None:
        """The wishes of a policy."""
        assert self.table is not None
        self._keys = keys
        named = {item["name"]: item for item in keys.get("attributes", [])}
        others = _ROLE_OF_OTHERS.get(str(keys.get("others")))
        for column in self.table.columns:
            name = column["name"]
            self.roles[name] = named.get(name, {}).get("role") or others or column["role"]
            hierarchy = named.get(name, {}).get("hierarchy")
            if isinstance(hierarchy, dict) and isinstance(hierarchy.get("file"), str):
                hierarchy = {**hierarchy, "file": os.path.relpath(hierarchy["file"])}
            if hierarchy is not None and (self.kind == "policy" or self._fits(name, hierarchy)):
                self.hierarchies[name] = hierarchy
        self.within = next((str(item["within"]) for item in named.values() if "within" in item), "")
        self.promises = [dict(promise) for promise in keys.get("privacy", [])]
        self.presets = list(keys.get("presets") or [])
        self.method = dict(keys.get("method") or {"name": "auto"})
        self.suppression = str((keys.get("suppression") or {}).get("limit", "0"))

    def _fits(self, column: str, spec: Any) -> bool:
        """Does a hierarchy that was only proposed have every value of the column?"""
        assert self.table is not None
        try:
            return not column_lines.values_beyond(self.table, column, column_lines.read(self.table, column, spec))
        except (covey.Error, OSError):
            return False

    def _open_release(self, path: str, job: Job) -> None:
        release = covey.open(path)
        self._show(release, release.verify(progress=job.listen), None)
        self.touch("opened")

    def compare_with(self, path: str) -> None:
        """Puts the table that a received release was made of beside it."""
        release = self.release
        if release is None:
            return

        def work(job: Job) -> None:
            original = Table.read(path, job, {"null": release.manifest.get("missing", [""])})
            verdict = release.verify(path, progress=job.listen)
            if not verdict.faithful and self.verdict is not None and self.verdict.holds:
                reason = next(iter(verdict.problems), "")
                raise Refused("release.no_image", path=path, reason=reason)
            self.original = original
            self._show(release, verdict, None)

        self.start("original", work)

    def _show(self, release: covey.Release, verdict: covey.Verdict, policy: covey.Policy | None) -> None:
        """This is the release from now on; what can be seen of it is worked out behind the page."""
        self.release, self.verdict, self.release_policy = release, verdict, policy
        self.saved.pop("release", None)
        self.saved.pop("report", None)
        views = self.views = Views(release, self.table or self.original)
        if self._behind is not None:
            self._behind.cancel()
        self._behind = Job("views", lambda job: views.work(job, lambda: self.touch("views")), lambda: None).start()
        self.touch("release", "views", "saved")

    # ---- wishes ----

    def of_role(self, role: str) -> list[str]:
        return [name for name, own in self.roles.items() if own == role]

    def set_role(self, column: str, role: str) -> None:
        """Gives a column a role; promises about columns that are no longer sensitive turn to the one that is."""
        if role not in ROLES or column not in self.roles or self.roles[column] == role:
            return
        self.roles[column] = role
        if self.within not in self.of_role("identifier") or not self.of_role("entity"):
            self.within = ""
        sensitive = self.of_role("sensitive")
        for promise in self.promises:
            if "attribute" in promise and promise["attribute"] not in sensitive and len(sensitive) == 1:
                promise["attribute"] = sensitive[0]
        once = [promise for at, promise in enumerate(self.promises) if promise not in self.promises[:at]]
        self.touch("wishes", *(["promises"] if len(once) < len(self.promises) else []))
        self.promises = once

    def set_within(self, column: str) -> None:
        """Persons are part of what this column names, which is dropped like every identifier; empty: of nothing."""
        if column:
            self.set_role(column, "identifier")
        self.within = column
        self.touch("wishes")

    def set_promises(self, promises: list[dict[str, Any]]) -> None:
        is_same = [p["model"] for p in promises] == [p["model"] for p in self.promises]
        self.promises = promises
        self.touch("wishes", *([] if is_same else ["promises"]))

    def set_hierarchy(self, column: str, spec: Any, *, remember: bool = True) -> None:
        """Gives a column a hierarchy as a policy writes it (a mapping, or its text); None: none. What does not fit the column
        is an error, and changes nothing."""
        if self.table is None or column not in self.roles:
            return
        if isinstance(spec, str):
            spec = column_lines.parsed(spec)
        lines = column_lines.read(self.table, column, spec) if spec is not None else []
        others = column_lines.values_beyond(self.table, column, lines) if spec is not None and "missing-leaf" not in spec else []
        if others:
            named = ", ".join(f'"{value}"' for value in others[:3]) + (", ..." if len(others) > 3 else "")
            raise Refused("tree.leaves", column=column, n=len(others), values=named)
        if remember:
            self._before.setdefault(column, []).append(self.hierarchies.get(column))
        if spec is None:
            self.hierarchies.pop(column, None)
            self._lines.pop(column, None)
        else:
            self.hierarchies[column] = spec
            self._lines[column] = lines
        self.touch("wishes", "hierarchies")

    def lines_of(self, column: str) -> list[list[str]]:
        """The column's hierarchy: a line per value, its ancestors behind it."""
        if column not in self._lines:
            assert self.table is not None
            self._lines[column] = column_lines.read(self.table, column, self.hierarchies[column])
        return self._lines[column]

    def change_hierarchy(self, column: str, lines: list[list[str]]) -> None:
        """Takes lines that were changed by hand."""
        self.set_hierarchy(column, {"lines": lines})

    def can_undo(self, column: str) -> bool:
        return bool(self._before.get(column))

    def undo_hierarchy(self, column: str) -> None:
        if self.can_undo(column):
            self.set_hierarchy(column, self._before[column].pop(), remember=False)

    def save_hierarchy(self, column: str, path: str, force: bool = False) -> None:
        """Writes a file that the policy and the command line name from then on. What is replaced is a file of the studio's own."""
        with saving(path, force=force):
            if os.path.lexists(path) and not self.has_written(path):
                raise covey.InputError("of somebody else")
            with whole(path) as beside, open(beside, "w", encoding="utf-8", newline="") as file:
                csv.writer(file, delimiter=";", lineterminator="\n").writerows(self.lines_of(column))
        self._written.add(os.path.realpath(path))
        self.set_hierarchy(column, {"file": path})

    def has_written(self, path: str) -> bool:
        """Is the file a hierarchy that was saved here?"""
        return os.path.realpath(path) in self._written

    def look_for_combinations(self) -> None:
        """Looks behind the page for sets of quasi-identifiers that single people out, unless that was done."""
        table, columns = self.table, self.of_role("quasi-identifier")
        if table is None or (self.unique is not None and self._unique_of == columns):
            return
        if self.unique is not None:
            self.unique.cancel()
        self._unique_of = columns
        self.unique = Job("unique", lambda job: covey.combinations(table.rows, columns, progress=job.listen), lambda: self.touch("unique"))
        self.touch("unique")
        self.unique.start()

    @property
    def knows_combinations(self) -> bool:
        """Are those that were found of the columns that are quasi-identifiers now?"""
        return self.unique is not None and self._unique_of == self.of_role("quasi-identifier")

    def set_preset(self, name: str, on: bool) -> None:
        self.presets = [preset for preset in self.presets if preset != name] + ([name] if on else [])
        self.touch("wishes")

    def probe(self) -> None:
        """Tries at once, behind the page, whether the promises can be kept; a new wish stops the trial of the last."""
        if self.probing is not None:
            self.probing.cancel()
        if self.table is None:
            return
        keys = self.policy_keys()
        if self.method.get("name", "auto") == "auto":
            keys["method"] = {"name": "mondrian"}  # keeps every model on classes, and is quick

        def work(job: Job) -> Any:
            with covey.anonymize(None, covey.Policy.from_dict(keys), progress=job.listen) as release:
                return release.result

        self.probing = Job("probe", work, lambda: self.touch("probe"))
        self.touch("probe")
        self.probing.start()

    def _like(self, promise: dict[str, Any]) -> list[dict[str, Any]]:
        """Own promises of the same model about the same column."""
        return [own for own in self.promises if own["model"] == promise["model"] and promise.get("attribute", own.get("attribute")) == own.get("attribute")]

    def can_take(self, nearest: dict[str, Any]) -> bool:
        """Is what the library says could be kept about wishes that stand here? A preset's promises, and what auto tries, do not."""
        return all(self._like(promise) for promise in nearest.get("privacy", [])) and ("method" not in nearest or self.method["name"] != "auto")

    def take_nearest(self, nearest: dict[str, Any]) -> None:
        """Takes what the library says could be kept in place of what cannot."""
        for promise in nearest.get("privacy", []):
            for own in self._like(promise):
                own.update(promise)
        self.method = {**self.method, **nearest.get("method", {})}
        if "suppression" in nearest:
            self.suppression = str(nearest["suppression"]["limit"])
        self._mend()

    def missing(self, key: str) -> str:
        """What becomes of rows without a sensitive value, or without a quasi-identifier's: error, drop or value."""
        return str((self._keys.get("input") or {}).get(key) or ("error" if key == "missing-sensitive" else "value"))

    def set_missing(self, key: str, word: str) -> None:
        """key: missing-sensitive or missing-quasi, as a policy has it."""
        self._keys = {**self._keys, "input": {**(self._keys.get("input") or {}), key: word}}
        self._mend()

    def _mend(self) -> None:
        """A wish has changed that something had failed for: what failed is no longer said, and the trial is made anew."""
        if self.job is not None and self.job.state == "failed":
            self.job = None
        self.touch("wishes", "job")
        self.probe()

    def policy_keys(self) -> dict[str, Any]:
        """The wishes in the shape of a policy."""
        keys = {key: value for key, value in self._keys.items() if key not in ("others", "attributes")}
        before = {item["name"]: item for item in self._keys.get("attributes", [])}
        others = self._keys.get("others")
        attributes = []
        for name, role in self.roles.items():
            if name not in before and role == _ROLE_OF_OTHERS.get(str(others)):
                keys["others"] = others
                continue
            item = {**before.get(name, {}), "name": name, "role": role}
            for key in ("hierarchy", "within", *(["missing-entity"] if role != "entity" else [])):
                item.pop(key, None)
            if role == "entity" and self.within:
                item["within"] = self.within
            if name in self.hierarchies and role in ("quasi-identifier", "sensitive"):  # has no effect on others
                item["hierarchy"] = self.hierarchies[name]
            attributes.append(item)
        keys |= {"attributes": attributes, "privacy": self.promises, "method": self.method}
        keys.pop("presets", None)
        if self.presets:
            keys["presets"] = self.presets
        keys["suppression"] = {**(self._keys.get("suppression") or {}), "limit": _number(self.suppression)}
        return {"version": 1, **{key: value for key, value in keys.items() if key != "version"}}

    def policy(self) -> covey.Policy:
        return covey.Policy.from_dict(self.policy_keys())

    def command_line(self, output: str) -> str:
        """The line that makes the release that these wishes make."""
        if self.table is None:
            if self.kind != "release":
                return "covey studio DATA"
            line = f"covey verify {command_line.quote(self.path)}"
            return line + (f" --original {command_line.quote(self.original.path)}" if self.original is not None else "")
        words = command_line.of_policy(self.table.path, self.policy_keys(), output)
        if words is not None:
            return words
        file = self.saved["policy"] if self._is_policy_saved() else self.beside("-policy.yaml")
        return f"covey anonymize {command_line.quote(file)} -o {command_line.quote(output)}"

    def is_drawn(self) -> bool:
        """Does the line make another draw, which keeps the same promises? A seed would repeat it, and undo what is random."""
        return self.table is not None and self.method.get("name") in command_line.DRAWN

    def _is_policy_saved(self) -> bool:
        """Does the file that was saved last say what is wished now?"""
        return "policy" in self.saved and self._saved_policy == self.policy()

    def needs_policy_file(self) -> bool:
        """Do only a policy file's words say all of the wishes, and is it not saved yet? Then the line works once it is."""
        if self.table is None or self._is_policy_saved():
            return False
        return command_line.of_policy(self.table.path, self.policy_keys(), "x") is None

    def beside(self, ending: str) -> str:
        """A name for what is saved: that of the table in the folder that the studio was started in."""
        source = self.table.path if self.table is not None else self.path
        stem = os.path.basename(source.split("?")[0].rstrip("/")) or "table"
        for tail in (".gz", ".zst"):
            stem = stem.removesuffix(tail)
        return os.path.splitext(stem)[0] + ending

    # ---- the release ----

    def anonymize(self) -> None:
        table, policy = self.table, self.policy()
        if table is None:
            return

        def work(job: Job) -> None:
            release = covey.anonymize(None, policy, progress=job.listen)
            self._show(release, release.verify(table.path, progress=job.listen, **_whose_rows(policy, release)), policy)

        self.start("anonymize", work)

    def compare(self, candidates: list[Candidate]) -> None:
        """Makes all of them, one after the other."""
        if self.table is None:
            return
        path, contest = self.table.path, Contest(candidates)
        if self.start("compare", lambda job: contest.work(path, job, lambda: self.touch("compare"))) is not None:
            self.contest = contest
            self.touch("compare")

    def choose(self, candidate: Candidate) -> None:
        """Takes what was tried: its release, and the wishes that made it."""
        if candidate.release is None or candidate.verdict is None:
            return
        self.promises = [dict(promise) for promise in candidate.keys["privacy"]]
        self.method = dict(candidate.keys["method"])
        self._show(candidate.release, candidate.verdict, covey.Policy.from_dict(candidate.keys))
        self.touch("wishes", "promises", "compare")

    @property
    def is_stale(self) -> bool:
        """Have the wishes changed since the release was made?"""
        return self.release_policy is not None and self.release_policy != self.policy()

    def save_release(self, folder: str, force: bool = False) -> None:
        if self.release is not None:
            with saving(folder, folder=True, force=force):
                self.release.save(folder, force=force)
            self.saved["release"] = folder
            self.touch("saved")

    def save_report(self, path: str, force: bool = False) -> None:
        if self.release is not None:
            with saving(path, force=force):
                self.release.report(path, force=force)
            self.saved["report"] = path
            self.touch("saved")

    def save_policy(self, path: str, force: bool = False) -> None:
        policy = self.release_policy if self.release is not None and not self.is_stale and self.release_policy else self.policy()
        with saving(path, force=force):
            if os.path.lexists(path) and not _is_policy(path):
                raise covey.InputError("no policy")
            with whole(path) as beside:
                policy.write(beside)
        self.saved["policy"], self._saved_policy = path, policy
        self.touch("saved")


def _whose_rows(policy: covey.Policy, release: covey.Release) -> dict[str, str]:
    """What may prove promises over persons, households or firms, of those forms of which it is looked for."""
    for item in policy.to_dict().get("attributes", []) if release.form != "sliced" else []:
        if item.get("role") == "entity":
            return {"entity": item["name"], **({"within": item["within"]} if "within" in item else {})}
    return {}


def _is_policy(path: str) -> bool:
    try:
        covey.Policy.read(path)
    except (covey.Error, OSError):
        return False
    return os.path.isfile(path)


def _number(text: str) -> Any:
    """A share as a policy has it; what is none is left for the library to complain of."""
    try:
        return int(text)
    except ValueError:
        try:
            return float(text)
        except ValueError:
            return text


def _find_columns(table: Table, keys: dict[str, Any]) -> None:
    """What a policy wishes of a column that is not there must not be lost."""
    names = [column["name"] for column in table.columns]
    for item in keys.get("attributes", []):
        if item["name"] not in names:
            near = difflib.get_close_matches(item["name"], names, 1)
            raise Refused("open.no_column_but" if near else "open.no_column", path=table.path, column=item["name"], near="".join(near))
