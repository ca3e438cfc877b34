# Releases of the same people: everybody keeps the values of his class, some rows are made up, and the ledger proves it.
python3 "$ROOT/tests/cli/anonymize/m_invariance/tables.py"
m() { covey anonymize "$1" --quasi age,zip --sensitive illness --entity patient --model m-invariance:m=3 --seed 3 "${@:2}"; }

m wave1.csv -o one --ledger ledger.csv | head -n 4
m wave2.csv -o two --ledger ledger.csv --previous one | head -n 4
m wave3.csv -o three --ledger ledger.csv --previous two --previous one --quiet
stat -c 'mode %a' ledger.csv
grep -h '"counterfeits"\|"rows": [0-9]*,$\|"published_rows"' */manifest.json | sort | uniq -c
ls two
head -n 2 two/counterfeits.csv
grep -l 'p[0-9]' -r one two three && echo "somebody's name is published"

echo "-- proven"
covey verify two | tail -n 1
covey verify three --ledger ledger.csv --previous one --previous two | tail -n 1
covey verify two --ledger ledger.csv --previous one --previous three --original wave2.csv --json | grep -A 2 '"faithful"\|"counterfeits"\|"holds": [a-z]*,$' | head -n 20

echo "-- the order of rows, threads and the order of releases do not show"
m reversed1.csv -o other1 --ledger other.csv --threads 3 --quiet
m reversed2.csv -o other2 --ledger other.csv --previous other1 --threads 3 --quiet
m reversed3.csv -o other3 --ledger other.csv --previous other1 --previous other2 --quiet
diff -r three other3 && cmp ledger.csv other.csv && echo same

echo "-- an observer of all releases has m values of everybody"
python3 - <<'END'
import csv
def classes(folder):
    values = {}
    for row in csv.DictReader(open(f"{folder}/table.csv")):
        values.setdefault(row["class"], set()).add(row["illness"])
    return values
lines = list(csv.reader(open("ledger.csv")))
releases = [classes(f) for f in ("one", "two", "three")]
least, several = 9, 0
for line in lines[1:]:
    seen = [releases[r][line[3 + r]] for r in range(3) if line[0] and line[3 + r]]
    if seen:
        least = min(least, len(set.intersection(*seen)))
        several += len(seen) > 1
print(least, "values at least;", several > 50)
END
