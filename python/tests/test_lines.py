"""Files of tables are cut between records, whatever their cells hold."""

from __future__ import annotations

import csv
import io
import itertools

import pytest
from covey import _core
from covey.spark._lines import lines_of
from hypothesis import given
from hypothesis import strategies as st

cells = st.text(alphabet='ab,"\n1', max_size=4)
tables = st.lists(st.tuples(st.integers(1, 3), cells, cells), max_size=8)


def text_of(records: list[list[str]]) -> bytes:
    text = io.StringIO(newline="")
    csv.writer(text, lineterminator="\n").writerows(records)
    return text.getvalue().encode()


def records_of(text: bytes) -> list[list[str]]:
    return list(csv.reader(io.StringIO(text.decode(), newline="")))


@given(tables, st.integers(-2, 1_000_000))
def test_lines_are_those_that_a_csv_reader_finds(rows: list[tuple[int, str, str]], by: int) -> None:
    records = [["class", 'a "b"', "c\nd"], *([str(number), *rest] for number, *rest in rows)]
    lines = lines_of(text_of(records), True)
    runs = [list(run) for _, run in itertools.groupby(records[1:], key=lambda record: record[0])]
    assert records_of(lines.header) == records[:1]
    assert (lines.records, lines.classes) == (len(rows), len(runs))
    assert records_of(lines.body) == records[1:]
    if runs:
        assert (lines.first, lines.last) == (rows[0][0], rows[-1][0])
        assert records_of(lines.first_class) == runs[0]
        assert records_of(lines.last_class) == runs[-1]
    moved = [[str(max(int(record[0]) + by, 0)), *record[1:]] for record in records[1:]]
    assert records_of(lines.shifted(by).body) == moved


@given(st.lists(st.tuples(cells, cells), max_size=6))
def test_without_numbers_each_line_is_a_class(rows: list[tuple[str, str]]) -> None:
    records = [["a", "b"], *(list(row) for row in rows)]
    lines = lines_of(text_of(records), False)
    assert (lines.records, lines.classes) == (len(rows), len(rows))
    if rows:
        assert records_of(lines.first_class) == records[1:2]
        assert records_of(lines.last_class) == records[-1:]


@pytest.mark.parametrize("start", [b"x,1", b'"2",1', b"-1,1", b"1.5,1", b",1", b"1234567890123456789,1", b"7"])
def test_what_is_no_number_stays_as_it_is(start: bytes) -> None:
    text = b"class,a\n" + start + b"\n"
    assert _core.lines_shifted(text, 5) == (b"class,a\n12\n" if start == b"7" else text)


def test_files_that_end_early_are_no_danger() -> None:
    for text in (b"", b"class", b"class\n", b'class,"', b"class,a\n1", b'class,a\n1,"x\n'):
        assert lines_of(text, True).records == text.count(b"\n1")
        assert lines_of(text, False).header + lines_of(text, False).body == text
        assert _core.lines_shifted(text, 3).replace(b"4,", b"1,") == text
