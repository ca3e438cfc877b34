#!/usr/bin/env python3
"""report_paper.py mark OUT.html REPORT.html...: copies reports, each from a page on, with the style of the first (a browser takes seconds to start).
Headings, captions, heads of tables and both ends of each row have marks that are too small to move anything.

report_paper.py FILE.pdf: what is wrong with the pages that a browser has printed of it: a number missing, a row torn, or a table that fits on a page, a heading or
a caption without its table, the head of a table not repeated, next to nothing on a page.
"""
import re
import subprocess
import sys

SHORT = 14  # rows that a page keeps together, as in src/report/page_html.c
FEW = 5  # lines, of which two are in the margins


def mark(text: str) -> str:
    """@s1@ a heading, @g1t2@ one that table 2 is about; @c1@ a caption, @h1@ its head; @a1r1@ and @z1r1@ where a row begins and its cells end."""
    sections = tables = rows = 0

    def put(match: "re.Match[str]") -> str:
        nonlocal sections, tables, rows
        tag = match[0]
        if tag.startswith("<h2"):
            sections += 1
            follows = re.match(r".*?</h2>\s*<div[^>]*>\s*(<p>[^<]*</p>\s*)?<div class=\"wide", text[match.end() :])
            name = f"g{sections}t{tables + 1}" if follows else f"s{sections}"
        elif tag == "<caption>":
            tables, rows = tables + 1, 0
            name = f"c{tables}"
        elif "rowheader" in tag:
            rows += 1
            name = f"a{tables}r{rows}"
        else:
            name = f"z{tables}r{rows}" if tag == "</td>" else f"h{tables}"
        small = f'<span style="display:inline-block;width:0;white-space:nowrap;font-size:2px">@{name}@</span>'
        return small + tag if tag == "</td>" else tag + small

    return re.sub(r"<h2[^>]*>|<caption>|<th scope=[^>]*>|</td>", put, text)


def wrong(pages: "list[str]") -> "list[str]":
    found = []
    where: "dict[str, set[int]]" = {}
    for n, page in enumerate(pages, 1):
        for name in re.findall(r"@(\w+)@", page):
            where.setdefault(name, set()).add(n)
        if not re.search(rf"\b{n} of {len(pages)}\b", page):
            found.append(f"page {n} has no number")
        if len([line for line in page.splitlines() if line.strip()]) < FEW:
            found.append(f"page {n} has next to nothing on it")
    for name, on in where.items():
        kind, number, second = re.fullmatch(r"(\w)(\d+)(?:[rt](\d+))?", name).groups()  # type: ignore[union-attr]
        if kind == "a" and not where.get("z" + name[1:], on) <= on:
            found.append(f"row {second} of table {number} is torn")
        if kind == "a" and not on <= where[f"h{number}"]:
            found.append(f"row {second} of table {number} has no head on its page")
        if kind == "g" and on != where[f"c{second}"]:
            found.append(f"heading {number} stands without its table")
        if kind == "c":
            rows = [at for row, at in where.items() if row.startswith(f"a{number}r")]
            if on != rows[0]:
                found.append(f"the caption of table {number} stands without its rows")
            if len(rows) <= SHORT and len(set.union(*rows)) > 1:
                found.append(f"table {number} of {len(rows)} rows is torn")
    return found


if sys.argv[1] == "mark":
    texts = [open(name, encoding="utf-8").read().split("<body>") for name in sys.argv[3:]]
    with open(sys.argv[2], "w", encoding="utf-8") as copy:
        copy.write(texts[0][0] + mark("".join('<div style="break-before:page">' + body.split("</body>")[0] + "</div>" for _, body in texts)))
else:
    printed = subprocess.run(["pdftotext", "-layout", sys.argv[1], "-"], check=True, capture_output=True, text=True).stdout
    rows = len(set(re.findall(r"@a\w+@", printed)))
    print(f"{rows // 100 * 100} rows and more:", "; ".join(wrong(printed.split("\f")[:-1])) or "nothing is wrong")
