"""What the library says of options of the command, said of the arguments that stand for them in Python."""

from __future__ import annotations

import re

_NAMES = {"attack": "names", "input": "data", "model": "privacy", "sql": "dialect", "to": "target", "with": "with_"}
_TRUE = ("arbitrary", "force", "ranges", "safe-cells", "shrink", "trim")

# What is said otherwise, before single options are looked for.
_PHRASES = (
    (re.compile(r"; `covey [a-z ]+ --help` [^;]*$"), ""),
    (re.compile(r"`covey (attacks|formats|methods|models)`"), r"covey.\1()"),
    (re.compile(r"`covey export --to csv:FOLDER --safe-cells`"), 'release.export("csv:FOLDER", safe_cells=True)'),
    (re.compile(r"covey export --to (\S+)"), r'release.export("\1")'),
    (re.compile(r"covey query without --sql"), "query()"),
    (re.compile(r"--sql=(\w+)"), r'dialect="\1"'),
    (re.compile(r"with --model ([\w-]+):\S+"), r"to privacy"),
    (re.compile(r"name (it|them) with --(\w+)"), r"name \1: \2=..."),
    (re.compile(r"add --method with"), "add method with"),
    (re.compile(r"query: sql must be"), "dialect must be"),
    (re.compile(r" \(--others\)"), ""),
    (re.compile(r"\(--delimiter ('.')\)"), r'(delimiter=\1, in a policy input={"delimiter": \1})'),
    (re.compile(r"--others (drop|insensitive)"), r'others="\1"'),
    (re.compile(r"add --vary, such as --vary \S+"), 'add vary, such as vary={"k": [3, 5, 10]}'),
    (re.compile(r"--header[= ]false"), "header=False"),
)
# --name, perhaps with what it takes: DATA, N, ';'
_OPTION = re.compile(r"(?<![\w\"'-])--([a-z]+(?:-[a-z]+)*)(?:[ =]([A-Z][A-Z0-9]*\b|'[^']*'))?(?![\w-])")


def _argument(found: re.Match[str]) -> str:
    name, value = found.groups()
    if value is None and name in _TRUE:
        value = "True"
    argument = _NAMES.get(name, name.replace("-", "_"))
    return argument if value is None else f"{argument}={value}"


def in_arguments(text: str) -> str:
    """A complaint or warning of the library: (--force) becomes (force=True), --original DATA original=DATA."""
    for phrase, words in _PHRASES:
        text = phrase.sub(words, text)
    return _OPTION.sub(_argument, text)
