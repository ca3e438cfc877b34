# Rows count by their published sampling weight: sums and means for people, in groups, as SQL, and against every world of tiny releases.
python3 - <<'END'
import random
random.seed(3)
with open("survey.csv", "w") as out:
    print("age,region,weight,children,income", file=out)
    for _ in range(200):
        age = random.randrange(20, 70)
        print(f"{age},{random.choice('nsew')},{random.choice([250, 410.5, 1000])},{random.randrange(4)},{random.randrange(10, 40) + age // 2}", file=out)
END
cat >survey.yaml <<'END'
version: 1
input: {path: survey.csv}
attributes:
  - {name: age, role: quasi-identifier}
  - {name: region, role: quasi-identifier}
  - {name: weight, role: weight, publish: value}
  - {name: children, role: insensitive, type: integer}
  - {name: income, role: sensitive}
privacy: [{model: k-anonymity, k: 4}]
method: mondrian
END
covey anonymize survey.yaml -o classes --quiet
covey query classes 'SELECT SUM(weight), SUM(weight * income), SUM(weight * income) / SUM(weight), SUM(children * weight) WHERE age < 40'
covey query classes "SELECT region, SUM(weight * income) / SUM(weight) WHERE age < 30 GROUP BY region" --json | grep -e '"lower"' -e '"upper"' -e '"aggregate"' | head -6
covey query classes 'SELECT SUM(weight * weight)'
covey query classes 'SELECT SUM(weight * income) WHERE age < 40' --sql
# With all weights alike they say what sums and means say without them.
sed -e 's/,250,/,2,/; s/,410.5,/,2,/; s/,1000,/,2,/' survey.csv >alike.csv
for how in "classes k-anonymity:k=4 mondrian" "groups probabilistic-l-diversity:l=4 anatomy" "targets p-private distribution" "random basic-beta-likeness:beta=2 perturbation"; do
    set -- $how
    sed -e 's/survey.csv/alike.csv/' -e "s/^privacy.*/privacy: []/; s/^method.*/method: $3/" survey.yaml | sed -e '/^privacy/d' >alike.yaml
    covey anonymize alike.yaml --model "$2" -o "$1-alike" --quiet 2>/dev/null
    covey query "$1-alike" 'SELECT SUM(income), AVG(income), SUM(weight * income), SUM(weight * income) / SUM(weight) WHERE age < 40' --json >told
    python3 - "$1" <<'END'
import json, sys
total, mean, weighted, weighted_mean = json.load(open("told"))["answers"]
def near(a, b):
    return a is b if a is None or b is None else abs(a - b) <= 1e-9 * max(1, abs(b))
print(sys.argv[1], all(near(weighted[k], 2 * total[k] if total[k] is not None else None) and near(weighted_mean[k], mean[k]) for k in ("lower", "upper", "estimate", "standard_error")))
END
done
# Every world, and the same from the exported tables.
python3 "$ROOT/tests/support/weighted_worlds.py" generalized 8 5
for form in bucketized transformed perturbed; do
    python3 "$ROOT/tests/support/weighted_worlds.py" $form 4 5
done
covey query random-alike "SELECT region, SUM(weight * income), SUM(weight) WHERE age < 40 GROUP BY region" --sql=postgresql
# What is refused.
fails 2 covey query classes 'SELECT SUM(children * income)'
fails 2 covey query classes 'SELECT SUM(weight * age)'
fails 2 covey query classes 'SELECT SUM(weight * region)'
fails 2 covey query classes 'SELECT AVG(weight * income)'
fails 2 covey query classes 'SELECT SUM(income) / SUM(weight)'
fails 2 covey query classes 'SELECT SUM(weight * income) / SUM(children)'
fails 2 covey query classes 'SELECT SUM(weight * income) / COUNT(*)'
fails 2 covey query classes 'SELECT SUM(weight * )'
sed -e 's/^privacy.*/privacy: [{model: sliced-l-diversity, l: 2}]/; s/^method.*/method: slicing/' survey.yaml >slices.yaml
covey anonymize slices.yaml -o slices --quiet 2>/dev/null
fails 2 covey query slices 'SELECT SUM(weight * income)'
# Where both stand in one column of a sliced release their products are known, and added up like any column.
sed -e 's/^method.*/method: {name: slicing, columns: [[age, region, children], [weight, income]]}/' slices.yaml >paired.yaml
covey anonymize paired.yaml -o paired --seed 7 --quiet 2>/dev/null
covey query paired 'SELECT SUM(weight * income), SUM(weight)'
covey query paired "SELECT SUM(weight * income) WHERE age < 40 GROUP BY region"
covey query paired "SELECT SUM(weight * income) WHERE age < 40" --sql
fails 2 covey query paired 'SELECT SUM(weight * income) / SUM(weight)'
fails 2 covey query paired 'SELECT SUM(weight * children)'
covey query slices 'SELECT SUM(weight)'
sed -e '3s/[0-9]*$//' survey.csv >missing.csv
sed -e 's/survey.csv/missing.csv/; s/name: income, role: sensitive/name: income, role: insensitive, type: integer/' survey.yaml >missing.yaml
covey anonymize missing.yaml -o missing --quiet
fails 2 covey query missing 'SELECT SUM(weight * income) / SUM(weight)'
covey query missing 'SELECT SUM(weight * income), SUM(weight)' | head -4
sed -e 's/,250,/,0.00000000001,/' survey.csv >tiny.csv
sed -e 's/survey.csv/tiny.csv/; s/name: children, role: insensitive, type: integer/name: children, role: insensitive, type: decimal/' survey.yaml >tiny.yaml
sed -i -e '2,$s/,\([0-3]\),/,\1.123456789,/' tiny.csv
covey anonymize tiny.yaml -o tiny --quiet
fails 2 covey query tiny 'SELECT SUM(weight * children)'
# Sums that SQLite cannot hold are PostgreSQL's.
sed -e 's/,410.5,/,9000000000000000,/' survey.csv >large.csv
sed -e 's/survey.csv/large.csv/' survey.yaml >large.yaml
covey anonymize large.yaml -o large --quiet
fails 2 covey query large 'SELECT SUM(weight * income)' --sql
covey query large 'SELECT SUM(weight * income)' --sql=postgresql | grep -c 'AS g1'
echo "-- the word weight stands for the column's name"
sed '1s/weight/grossing/' survey.csv >named.csv
sed -e 's/survey.csv/named.csv/' -e 's/name: weight/name: grossing/' survey.yaml >named.yaml
covey anonymize named.yaml -o named --quiet
fails 2 covey query named 'SELECT SUM(weight * income)'
echo "-- a release with fewer values than rows is none"
for how in "targets p-private distribution" "random basic-beta-likeness:beta=2 perturbation"; do
    set -- $how
    covey anonymize alike.csv --quasi age,region --sensitive income --sampling-weight weight --publish weight=value --others drop --model "$2" --method "$3" -o "$1-few" --quiet 2>/dev/null
    python3 - "$1-few" <<'END'
import json, os, sys
path = sys.argv[1] + "/manifest.json"
manifest = json.load(open(path))
if "prior" in manifest:
    manifest["prior"]["income"] = {value: 1 for value in manifest["prior"]["income"]}
else:
    values = sys.argv[1] + "/sensitive.csv"
    lines = open(values).read().split("\n")
    open(values, "w").write("\n".join(lines[:1] + [line.rsplit(",", 1)[0] + ",1" if line else "" for line in lines[1:]]))
    for file in manifest["files"]:
        file["bytes"] = os.path.getsize(sys.argv[1] + "/" + file["name"])
json.dump(manifest, open(path, "w"))
END
    fails 2 covey query "$1-few" 'SELECT SUM(weight * income), SUM(income)'
done
# Where all values are surely missing their sum is one of nothing, in every form.
printf 'age,weight,income\n20,2,\n20,1,\n30,2,5\n30,1,7\n' >none.csv
for how in k-anonymity:k=2,mondrian distinct-l-diversity:l=1,anatomy; do
    covey anonymize none.csv --quasi age --sampling-weight weight --publish weight=value --sensitive income --missing-sensitive value \
        --model "${how%,*}" --method "${how#*,}" -o none --force --quiet
    covey query none 'SELECT SUM(income), SUM(weight * income), SUM(weight) WHERE age = 20' | grep SUM
done
