# What a colleague would say: which small sets of columns single people out, what may mean "missing", which hierarchies lie beside the
# table, and with --values what the columns hold.
mkdir -p data/hierarchies policies
python3 - <<'END'
import random
random.seed(5)
print("name,age,hours,score,city", file=open("data/people.csv", "w"))
with open("data/people.csv", "a") as out:
    for i in range(300):
        age, hours = random.choice([9999] + list(range(18, 60))), random.choice(["N"] + [str(h) for h in range(20)])
        print(f"p{i},{age},{hours},{random.choice([-99, 1, 2, 3])},{random.choice('xyy')}", file=out)
END
printf 'x;*\ny;*\n' >data/hierarchies/city.csv
printf '18;*\n' >data/people_hierarchy_age.csv
covey inspect data/people.csv | sed -n '/^Small/,$p'
covey inspect data/people.csv --policy policies/people.yaml --quiet
grep -e missing -e hierarch policies/people.yaml
covey inspect data/people.csv --values --json >values.json
python3 - <<'END'
import csv, itertools, json
from collections import Counter
inspection = json.load(open("values.json"))
rows = list(csv.DictReader(open("data/people.csv")))
for found in inspection["single_out"]:
    counts = Counter(tuple(row[c] for c in found["columns"]) for row in rows)
    assert found["unique_rows"] == sum(n == 1 for n in counts.values()), found
names = [c["name"] for c in inspection["columns"] if c["role"] != "identifier"]
best = max(sum(n == 1 for n in Counter((row[a], row[b]) for row in rows).values()) for a, b in itertools.combinations(names, 2))
assert best == max(s["unique_rows"] for s in inspection["single_out"] if len(s["columns"]) == 2)
for c in inspection["columns"][1:]:
    print(c["name"], c["smallest"], c["largest"], c["suspect"], c["hierarchy_file"])
    counts = Counter(row[c["name"]] for row in rows)
    assert [v["rows"] for v in c["commonest"]] == [n for _, n in counts.most_common(3)], c
    assert all(counts[v["value"]] == v["rows"] for v in c["commonest"])
END
covey inspect data/people.csv --values | sed -n '/^column .*smallest/,/^city/p' | cut -c1-30
# No set is named where nobody is alone, and none without rows.
printf 'a,b\n1,x\n1,x\n2,y\n2,y\n' >twins.csv
covey inspect twins.csv | sed -n /Small/p
printf 'a,b\n' >nobody.csv
covey inspect nobody.csv | sed -n /Small/p
# A hierarchy of the same name that lists none of the column's values is that of another table; one that is none is not proposed, either.
mkdir others others/hierarchies
printf 'age,zip,sex,town\n23,10115,f,\n24,10117,m,b\n25,10119,f,\n26,10178,m,c\n' >others/people.csv
printf '%s\n' 'a;*' 'b;*' >others/hierarchies/zip.csv
printf '%s\n' '1;x' '2;y' >others/hierarchies/age.csv
printf '%s\n' 'f;*' >others/hierarchies/sex.csv
printf '%s\n' 'null;*' 'd;*' >others/hierarchies/town.csv
covey inspect others/people.csv --json | python3 -c 'import json, sys; print([c["hierarchy_file"] for c in json.load(sys.stdin)["columns"]])'
printf '%s\n' 'f;*' 'f;*' >others/hierarchies/sex.csv
printf '%s\n' '010117;*' >others/people_hierarchy_zip.csv
covey inspect others/people.csv --json | python3 -c 'import json, sys; print([c["hierarchy_file"] for c in json.load(sys.stdin)["columns"]])'
# Every set that was asked for, counted as a plain program counts: also of so many columns that their values are no number of 64 bits.
python3 - <<'END'
import random
random.seed(6)
with open("wide.csv", "w") as out:
    print(",".join(f"c{i}" for i in range(10)), file=out)
    for _ in range(600):  # 9 columns of some 330 values each, in which rows are repeated; and one of few
        row = random.randrange(400)
        print(",".join([random.choice(["", "a", "b"])] + [str(row * c % 401) for c in range(2, 11)]), file=out)
END
covey inspect wide.csv --together 10 --json >every.json
covey inspect wide.csv --quasi c1,c4,c0 --json >some.json
python3 - <<'END'
import csv, itertools, json
from collections import Counter
rows = list(csv.DictReader(open("wide.csv")))
def check(path, columns, most):
    found = json.load(open(path))["single_out"]
    sets = [tuple(item["columns"]) for item in found]
    assert sorted(sets) == sorted(s for k in range(1, most + 1) for s in itertools.combinations(columns, k)), sets
    for item in found:
        alone = sum(n == 1 for n in Counter(tuple(row[c] for c in item["columns"]) for row in rows).values())
        assert item["unique_rows"] == alone and abs(item["uniqueness"] - alone / len(rows)) < 1e-12, (item, alone)
    order = [(len(item["columns"]), -item["unique_rows"]) for item in found]
    assert order == sorted(order)
check("every.json", list(rows[0]), 10)
check("some.json", ["c0", "c1", "c4"], 3)
END
covey inspect wide.csv --quasi c0,c2 --together 2 | sed -n '/^Sets/,/^$/p'
covey inspect nobody.csv --together 2 --json | tr , '\n' | grep -c unique_rows
fails 2 covey inspect wide.csv --quasi c1,d4
fails 2 covey inspect wide.csv --together 0
python3 -c 'print(",".join(f"c{i}" for i in range(60)))' >wider.csv
fails 2 covey inspect wider.csv --together 5
# Weights are weights, survey codes below 0 are asked about, and diagnoses among numbers are no missing cells. Where persons are known,
# their households are not asked for again.
{
    echo 'HOUSEHOLD_ID,PERSON_ID,pid,diag,visits,balance,PERWT'
    for i in $(seq 200); do
        echo "h$((i / 4)),p$((i / 2)),$((i % 4)),$([ $((i % 9)) = 0 ] && echo "V$((i % 50))" || echo "$((i % 90)).$((i % 3))"),$([ $((i % 50)) = 0 ] && echo -9 || echo $((i % 11))),$((i % 7 - 3)),$((i * 37 % 190))"
    done
} >survey.csv
covey inspect survey.csv | grep -E '^(HOUSE|PERSON|pid|diag|visits|PERWT|Do|Beware)|^Does'
# Codes of one length lose characters from their end.
for i in $(seq 40); do echo "$((10110 + i * 13)),A$((i % 10))B$((i % 9))"; done | sed '1i zip,ward' >codes.csv
covey inspect codes.csv --policy codes.yaml --quiet
grep mask codes.yaml
