# Made-up rows of an m-invariant release are said, belong to nobody who is counted, and leave no proof of a least loss.
python3 "$ROOT/tests/cli/anonymize/m_invariance/tables.py"
m() { covey anonymize "$1" --quasi age,zip --sensitive illness --entity patient --model m-invariance:m=3 --seed 3 --ledger ledger.csv "${@:2}"; }
m wave1.csv -o one --quiet
m wave2.csv -o two --previous one --lower-bound 1 >summary
grep 'least possible loss' summary
next=$(tail -n 1 summary)
$next | tail -n 1 # what it says to go on with
covey report two --format md | grep -e 'are published' -e 'made up, so'
covey measure two --original wave2.csv --json | grep '"lower_bound"'
covey measure two --original wave2.csv --json >two.json
python3 - <<'END'
# The divergence of beliefs that sum to 1, counted anew: classes are boxes, zip codes and ages the original's.
import csv, json, math, re

rows = [(int(r["age"]), int(r["zip"])) for r in csv.DictReader(open("wave2.csv"))]
values = [sorted({row[q] for row in rows}) for q in (0, 1)]
boxes = [[tuple(map(int, re.findall(r"\d+", cell))) for cell in (r["age"], r["zip"])] for r in csv.DictReader(open("two/table.csv"))]
covers = lambda cell, value: cell[0] <= value <= cell[-1]
belief = lambda row: sum(1 / math.prod(sum(covers(box[q], v) for v in values[q]) for q in (0, 1)) for box in boxes if covers(box[0], row[0]) and covers(box[1], row[1])) / len(boxes)
kl = sum(math.log(rows.count(row) / len(rows) / belief(row)) for row in rows) / len(rows)
print("divergence as counted:", abs(kl - json.load(open("two.json"))["kl"]) < 1e-9, "rows made up:", len(boxes) > len(rows))
END
covey report two --original wave2.csv --releases-ledger ledger.csv --format md | grep -o 'every published row.*made up'
