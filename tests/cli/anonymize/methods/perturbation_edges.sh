# One value, two values with 1:99, a value that occurs once, missing values, and thresholds that are none or bind nothing.
publish() {
    rm -rf release
    covey anonymize people.csv --quasi age --sensitive disease --method perturbation --seed 1 -o release --json --quiet "$@" >report.json || return $?
    python3 - <<'END'
import csv, json
report = json.load(open("report.json"))
table = list(csv.DictReader(open("release/table.csv")))
values = {row["value"]: float(row["alpha"]) for row in csv.DictReader(open("release/perturbation.csv"))}
assert report["promises"][0]["holds"] and all(0 < alpha <= 1 for alpha in values.values()), (report, values)
assert {row["disease"] for row in table} <= set(values)
print(len(table), "rows;", ", ".join(f"{v or 'missing'} {a:.4f}" for v, a in values.items()))
END
    covey verify release --original people.csv --json | python3 -c 'import json, sys
verdict = json.load(sys.stdin)
print(verdict["holds"], verdict["faithful"])'
}
people() { # COUNT VALUE ...
    echo age,disease >people.csv
    while [ $# -gt 0 ]; do
        for i in $(seq "$1"); do echo "$((20 + i % 30)),$2"; done >>people.csv
        shift 2
    done
}
echo "-- one value"
people 20 flu
publish --model enhanced-beta-likeness:beta=4
echo "-- 1:99, where the published formula is negative"
people 1 gout 99 flu
publish --model enhanced-beta-likeness:beta=4
publish --model basic-beta-likeness:beta=4
echo "-- a value that occurs once among many"
people 30 flu 30 cold 1 gout
publish --model enhanced-beta-likeness:beta=1
echo "-- missing values"
people 30 flu 20 cold 5 ''
fails 2 publish --model enhanced-beta-likeness:beta=1
ls
publish --model enhanced-beta-likeness:beta=1 --missing-sensitive value
fails 0 covey verify release
people 30 flu 20 cold
publish --model enhanced-beta-likeness:beta=1
people 30 flu 20 cold 5 ''
covey anonymize people.csv --quasi age --sensitive disease --method perturbation --seed 1 -o dropped --quiet --json \
    --model enhanced-beta-likeness:beta=1 --missing-sensitive drop | python3 -c 'import json, sys
print(json.load(sys.stdin)["published_rows"])'
echo "-- thresholds"
people 30 flu 20 cold 10 gout
for beta in 0 -1 nan inf '' 1e99 x; do
    fails 2 publish --model "enhanced-beta-likeness:beta=$beta"
done
ls
publish --model enhanced-beta-likeness:beta=1000000000
publish --model basic-beta-likeness:beta=1000000000
echo "-- an order that a text does not have"
fails 2 covey anonymize people.csv --quasi age --sensitive disease --method sabre --model t-closeness:t=0.1,distance=ordered -o other
covey anonymize people.csv --quasi age --sensitive disease --method sabre --model t-closeness:t=0.1,distance=equal -o other --quiet >other.txt
