# What needs no real table runs everywhere.
covey reproduce ke-correlation ke-time -o figures --rows 600 --json | python3 -c 'import json, sys
for figure in json.load(sys.stdin)["figures"]:
    assert figure["state"] in ("holds", "differs") and figure["finding"], figure
    print(figure["name"])'
ls figures
head -1 figures/ke-correlation.csv
grep -c '<svg' figures/ke-correlation.svg
tail -1 figures/ke-time.csv | cut -d, -f1 # as many rows as asked for
