#!/usr/bin/env python3
"""report_paper.py FILE.pdf: prints how many lines of text each page of a printed report has, and what is wrong with that: a page with next to
nothing on it. Lines are told by their places, since fonts are parts of fonts."""
import re
import sys
import zlib

data = open(sys.argv[1], "rb").read()
objects = {int(m[1]): m[2] for m in re.finditer(rb"(\d+) 0 obj\n?(.*?)endobj", data, re.S)}


def stream(number):
    body = objects[number]
    raw = re.search(rb"stream\r?\n(.*?)\r?\nendstream", body, re.S)[1]
    return zlib.decompressobj().decompress(raw) if b"FlateDecode" in body else raw  # whose last byte may be a line end


pages = [body for body in objects.values() if re.search(rb"/Type\s*/Page\b(?!s)", body)]
counts = []
for page in pages:
    contents = [int(n) for n in re.findall(rb"(\d+) 0 R", re.search(rb"/Contents\s*(\[[^]]*\]|\d+ 0 R)", page)[1])]
    text = b"\n".join(stream(n) for n in contents)
    places = re.findall(rb"[-0-9.]+ [-0-9.]+ [-0-9.]+ [-0-9.]+ [-0-9.]+ ([-0-9.]+) Tm", text)
    counts.append(len(set(places)))
wrong = [i + 1 for i, n in enumerate(counts) if n < 5]
print("pages enough:", bool(counts), "pages with next to nothing:", wrong)
if "--counts" in sys.argv:
    print(counts)
