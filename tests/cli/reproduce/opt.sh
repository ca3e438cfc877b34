# What needs no real table: optima of SimpleNormal, all proven; the plot has the ratios, the table everything.
covey reproduce opt-normal opt-normal-length -o figures --json | python3 -c 'import json, sys
for figure in json.load(sys.stdin)["figures"]:
    print(figure["name"], figure["state"], "7 of 7 proven optimal" in figure["finding"])'
cut -d, -f1 figures/opt-normal.csv | head -1
python3 - <<'END'
import csv
for name, columns in ("opt-normal", ("best, 5 x 5 splits", "best, 20 x 20 splits")), ("opt-normal-length", ("best",)):
    rows = list(csv.DictReader(open(f"figures/{name}.csv")))
    for column in columns:
        print(name, column, *(int(float(row[column])) for row in rows))
    print(all(float(row["best" + c]) == float(row["bound" + c]) for row in rows for c in (column[4:] for column in columns)))
END
grep -c '<svg' figures/opt-normal.svg
! grep 'seconds' figures/opt-normal.svg
fails 1 covey reproduce opt-adult opt-adult-length opt-adult-diversity opt-coil opt-coil-length opt-priorities opt-splits -o none --data . --json | python3 -c 'import json, sys
for figure in json.load(sys.stdin)["figures"]:
    print(figure["name"], figure["state"], figure["finding"])'
fails 2 covey reproduce opt-normal -o never --seconds 0
fails 2 covey reproduce opt-normal -o never --seconds soon
