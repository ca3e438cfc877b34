"""Several releases of one table side by side: methods and thresholds, what they lose and what they give away."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import covey

from .jobs import Job

# As `covey compare`: attacks that guess for everybody, and about how many people they are right. The worst chance of any one
# person tells no releases apart: many promises leave somebody whose value is certain.
_ATTACKS = ("naive-bayes", "definetti", "re-identification")
N_QUERIES = 200
FIGURES = ("ail", "query_error", "attack")


class Candidate:
    """One release that was tried.

    Attributes:
        name: method and what is promised.
        keys: the policy that makes it.
        release, verdict: what came out; None while it is not there, or where there is none.
        figures: ail, attack, query_error; None for what does not exist.
        reason: why there is no release; None else.
        worst: the attack that is right most often.
        is_stopped: was its time over? Then what came out depends on the machine, too.
    """

    def __init__(self, name: str, keys: dict[str, Any]) -> None:
        self.name = name
        self.keys = keys
        self.release: covey.Release | None = None
        self.verdict: covey.Verdict | None = None
        self.figures: dict[str, float | None] = dict.fromkeys(FIGURES)
        self.reason: covey.Error | None = None
        self.worst = ""
        self.is_stopped = False
        self.is_done = False

    def run(self, path: str, listen: Callable[[str, int, int], bool]) -> None:
        try:
            self.release = covey.anonymize(None, covey.Policy.from_dict(self.keys), progress=listen)
            self.is_stopped = (self.release.manifest.get("objective") or {}).get("stopped") == "time limit reached"
            self.verdict = self.release.verify(path, progress=listen)
            self._measure(path, listen)
        except (covey.Infeasible, covey.InputError) as error:
            self.reason = error
        self.is_done = True

    def _measure(self, path: str, listen: Callable[[str, int, int], bool]) -> None:
        assert self.release is not None
        found = self.release.measure(path, queries=N_QUERIES, seed=1, progress=listen)
        self.figures["ail"] = found.get("ail")
        self.figures["query_error"] = (found.get("workload") or {}).get("median_relative_error")
        attacks = [a for a in self.release.attack(path, list(_ATTACKS), progress=listen) if a.get("applies") and a.get("figure") is not None]
        on_values = any(a.get("attribute") for a in attacks)
        shares = [(a["figure"] if on_values else a["marketer"], a["name"]) for a in attacks if bool(a.get("attribute")) == on_values]
        if shares:
            self.figures["attack"], self.worst = max((float(share), str(name)) for share, name in shares)


class Contest:
    """Candidates, and which of them are not beaten in all figures by another."""

    def __init__(self, candidates: list[Candidate]) -> None:
        self.candidates = candidates

    def work(self, path: str, job: Job, changed: Callable[[], None]) -> None:
        """Runs them one after the other; results are there as they come."""
        n = len(self.candidates)
        for at, candidate in enumerate(self.candidates):
            candidate.run(path, lambda phase, done, to_do, at=at, name=candidate.name: job.listen(name, at, n))  # type: ignore[misc]
            changed()
            job.check()

    def made(self) -> list[Candidate]:
        return [c for c in self.candidates if c.release is not None and c.is_done]

    def best(self, x: str, y: str) -> list[Candidate]:
        """Those that no other one is at least as good as in both figures, and better in one."""
        there = [c for c in self.made() if c.figures[x] is not None and c.figures[y] is not None]
        return [c for c in there if not any(_beats(other, c, x, y) for other in there)]


def _beats(a: Candidate, b: Candidate, x: str, y: str) -> bool:
    pairs = [(a.figures[key], b.figures[key]) for key in (x, y)]
    known = [(p, q) for p, q in pairs if p is not None and q is not None]
    return len(known) == len(pairs) and all(p <= q for p, q in known) and any(p < q for p, q in known)


def number_or_text(word: str) -> Any:
    """A whole number as one, unless it has more digits than any threshold, and a decimal comma as a point; the library complains
    of what is none."""
    if re.fullmatch(r"\d+,\d+", word):
        return word.replace(",", ".")
    return int(word) if word.isdecimal() and len(word) <= 18 else word


def candidates_of(keys: dict[str, Any], methods: list[str], parameter: tuple[int, str] | None, values: list[str]) -> list[Candidate]:
    """Every method with every value of one parameter of one promise (its place in `privacy`, its name)."""
    found = []
    for value in values or [""]:
        privacy = [dict(promise) for promise in keys.get("privacy", [])]
        label = ""
        if parameter is not None and value:
            at, key = parameter
            privacy[at][key] = number_or_text(value)
            label = f" {key}={value}"
        for method in methods:
            own = keys.get("method") or {}
            chosen = dict(own) if own.get("name") == method else {"name": method}
            found.append(Candidate(method + label, {**keys, "privacy": privacy, "method": chosen}))
    return found
