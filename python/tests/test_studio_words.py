"""The words of covey studio: its texts in both languages, sentences of the library, figures, the command line."""

from __future__ import annotations

import os
import re
import shlex
from pathlib import Path
from types import SimpleNamespace

import pytest

pytest.importorskip("nicegui", reason="skipped: nicegui is not installed (covey[studio])")

pyarrow = pytest.importorskip("pyarrow")

import covey
from covey._studio import command_line, contest, library_sentences, meaning, texts, tree_lines, words

ROOT = Path(__file__).parents[2]


def test_every_text_is_there_in_both_languages() -> None:
    for key, pair in texts.TEXTS.items():
        assert len(pair) == len(words.LANGUAGES) and all(pair), key
        assert len({frozenset(re.findall(r"{(\w+)}", text)) for text in pair}) == 1, key
    folder = Path(texts.__file__).parent
    used = {key for path in folder.glob("*.py") for key in re.findall(r'\b(?:t|Refused)\("([\w.-]+)"', path.read_text())}
    assert used and used <= set(texts.TEXTS)
    assert words.Words("de").number(1234567) == "1.234.567"
    assert words.language_of("fr, de-CH;q=0.8") == "de" and words.language_of("fr") == "en"


def test_what_the_library_says_is_known_in_german() -> None:
    """Every pattern has the words of a sentence that is in the library's source; what has none is shown as it is."""
    paths = [*(ROOT / "src").rglob("*.c"), *(ROOT / "python" / "covey").rglob("*.py")]
    source = "".join(path.read_text() for path in paths if path.parent.name != "_studio")
    source = re.sub(r'"\s*\n\s*"', "", source).replace('\\"', '"').replace("%%", "%").replace("`%s` has no", "`hierarchy` has no")
    for in_source, plural in (("row%s", "rows"), ("there %s only", "there are only"), ("sensitive value%s", "sensitive values occur"), ("different value%s", "different values"), ("different number%s", "different numbers occur"), ("begin%s", "begin"), ("cell%s", "cells"), ("person%s more", "persons have more")):
        source = source.replace(in_source, plural)
    source += "".join(os.strerror(number) for number in range(1, 134))
    for english, german, *own in library_sentences.PATTERNS:
        english = re.sub(r"\{\w\|[^{}|]*\|([^{}|]*)\}", r"\1", english)
        pieces = sorted(re.split(r"\{[A-Za-z]\}|[;:,.] |^1 value|have$|cannot|(?<=column \"\{a\}\": the) |'s value is missing|: drop\}|the suppression limit must be |No such|no such|(?<=no effect on a column that is )|(?<=methods that can keep it)", english), key=len)
        assert pieces[-1].strip(" ;:,.") in source, english
        for words_of_page in (german, *own):
            assert set(re.findall(r"\{(\w)[}|]", words_of_page)) <= set(re.findall(r"\{(\w)\}", english)), words_of_page


def in_german(what: object) -> str:
    return " ".join(piece.text for piece in words.Words("de").said(what))


def test_sentences_of_the_library_are_said_in_the_words_of_the_page() -> None:
    assert in_german('its name says "age"') == 'ihr Name sagt "age"'
    assert in_german("A value fills at most 38.8% of a class. No row's value is certain.").startswith("Ein Wert füllt höchstens 38,8 % einer")
    assert words.Words("de").said("No row's value is certain. Really.") == [("Von keiner Zeile steht der Wert fest.", True), ("Really.", False)]
    too_few = covey.Infeasible("no release can keep k-anonymity: there are only 9 rows: k can be 9 at most; nor t-closeness: something new")
    assert words.Words("de").said(too_few) == [(f"N{str(too_few)[1:]}.", False)]
    lacking = covey.InputError('t.csv:3: column "s": the sensitive value is missing; say input: {missing-sensitive: drop} to leave such rows out, or value to let it be a value of its own', file="t.csv", row=3)
    assert in_german(lacking) == 't.csv, Zeile 3: Die sensible Spalte "s" hat hier keinen Wert: wählen Sie, was mit solchen Zeilen geschieht.'
    assert "input:" not in words.Words("en").said(lacking)[0].text
    [over_time] = words.Words("en").said(
        covey.InputError("m-invariance is about releases over time, which it has to know: name a private file that keeps them, outside the release (--ledger FILE; it is made with the first release)")
    )
    assert "this page does not make: use covey anonymize with --ledger and --previous" in over_time.text
    placed = covey.InputError('privacy[0]["k"]: model k-anonymity: k must be a whole number, not "x"', parameter='privacy[0]["k"]')
    assert words.Words("en").said(placed) == [('Model k-anonymity: k must be a whole number, not "x".', True)]


def test_one_of_something_is_said_in_german_too() -> None:
    one_row = {"age": [20], "disease": ["flu"]}
    with pytest.raises(covey.Infeasible) as caught:
        covey.anonymize(pyarrow.table(one_row), quasi=["age"], sensitive="disease", privacy=[covey.KAnonymity(5), covey.DistinctLDiversity(2)])
    assert in_german(caught.value) == "Keine Freigabe kann k-anonymity halten: es gibt nur 1 Zeile: k kann höchstens 1 sein; auch nicht distinct-l-diversity: nur 1 sensibler Wert kommt vor: l kann höchstens 1 sein."
    for pattern, *_ in library_sentences.PATTERNS:
        for hole in set(re.findall(r"\{(\w)\|", pattern)):
            for at, n in enumerate(("1", "7")):
                text = re.sub(r"\{(\w)\|([^{}|]*)\|([^{}|]*)\}", lambda found: found[2 + at] if found[1] == hole else found[3], pattern)
                inner = {f"{{{hole}}}": n, "{W}": "there are only 9 rows: k can be 9 at most"}
                said = words.Words("de").said(re.sub(r"\{\w\}", lambda found: inner.get(found[0], "9"), text))
                assert said[0].is_known and not re.search(r"[{|}]|\b1 \w+(rows|Zeilen|Werte|Personen|Haushalte)\b", said[0].text), said


def test_counts_of_one_have_words_of_their_own() -> None:
    for language, row, column in (("en", "1 row, 1 column.", "2 rows, 3 columns."), ("de", "1 Zeile, 1 Spalte.", "2 Zeilen, 3 Spalten.")):
        says = words.Words(language)
        assert says("table.lead", rows=1, columns=1).startswith(row) and says("table.lead", rows=2, columns=3).startswith(column)
    for key, pair in texts.TEXTS.items():
        for text in pair:
            for hole in re.findall(r"{(\w+)\|", text):
                assert f"{{{hole}}}" in text, key


def test_rows_are_called_people_only_where_it_is_known_whose_they_are() -> None:
    for model, key in (("k-anonymity", "k"), ("sliced-l-diversity", "l")):
        for entity, word in (([], "row"), (["patient"], "pe")):
            studio = SimpleNamespace(table=SimpleNamespace(n_rows=9), roles={}, of_role=lambda role, own=entity: own if role == "entity" else [])
            said = meaning.sentence(words.Words("en"), studio, {"model": model, key: 4})
            assert re.search(rf"\b{word}", said) and "25" in said, said


def test_figures_are_written_as_the_language_has_them() -> None:
    english, german = words.Words("en"), words.Words("de")
    assert german.exact("156203/39165") == "3,988" and english.exact("156203/39165") == "3.988"
    assert german.exact(12345) == "12.345" and english.exact("0.25") == "0.25" and german.exact("[a, b]") == "[a, b]"
    assert [english.percent(share) for share in (0, 0.5, 0.98765, 0.01234, 0.0000205, 1)] == ["0%", "50%", "98.8%", "1.23%", "0.00205%", "100%"]
    assert english.percent(0.5, in_column=True) == "50.0%"
    assert german.percent(0.535) == "53,5\u202f%"


def test_the_line_says_what_the_policy_says() -> None:
    policy = {
        "version": 1,
        "input": {"path": "a b.csv", "null": ["", "?"]},
        "attributes": [
            {"name": "age", "role": "quasi-identifier", "hierarchy": {"mask": 2}},
            {"name": "a,b", "role": "quasi-identifier"},
            {"name": "s", "role": "sensitive"},
        ],
        "privacy": [{"model": "t-closeness", "t": "1/5", "attribute": "s"}],
        "method": {"name": "mondrian", "cut": "relaxed"},
        "suppression": {"limit": 0.01},
    }
    line = command_line.of_policy("a b.csv", policy, "out")
    assert line is not None
    words = shlex.split(line)
    assert words[:5] == ["covey", "anonymize", "a b.csv", "--null", ",?"]
    assert words[words.index("--quasi") + 1] == "age" and '{"name": "a,b", "role": "quasi-identifier"}' in words
    assert words[words.index("--model") + 1] == "t-closeness:t=1/5,attribute=s"
    assert words[words.index("--method") + 1] == "mondrian:cut=relaxed" and words[words.index("--suppression") + 1] == "0.01"
    policy["attributes"][0]["hierarchy"] = {"lines": [["1", "*"]]}  # type: ignore[index]
    assert command_line.of_policy("a b.csv", policy, "out") is None


def test_more_children_of_a_node_are_shown_when_they_are_asked_for() -> None:
    lines = [[str(n), "*"] for n in range(300)]
    first = tree_lines.tree(lines, {}, str, {})
    assert len(first["children"]) == tree_lines.N_CHILDREN and first["more"] == "+ 260"
    second = tree_lines.tree(lines, {}, str, {first["id"]: 200})
    assert len(second["children"]) == 240 and second["more"] == "+ 60"
    assert "more" not in tree_lines.tree(lines, {}, str, {first["id"]: 400})


def test_thresholds_are_numbers_whichever_mark_they_have() -> None:
    assert [contest.number_or_text(word) for word in ("5", "0,2", "0.2", "5/3", "x,y")] == [5, "0.2", "0.2", "5/3", "x,y"]
