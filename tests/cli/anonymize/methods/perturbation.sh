# Each row keeps its sensitive value or gets another; how likely, is published and proven to be enough.
{ echo age,disease; for i in $(seq 40); do echo "$i,flu"; echo "$i,cold"; echo "$i,gout"; done; } >people.csv
covey anonymize people.csv --quasi age --sensitive disease --model enhanced-beta-likeness:beta=1/2 --method perturbation --seed 1 \
    -o release --json --quiet | python3 -c 'import json, sys
report = json.load(sys.stdin)
print(report["form"], report["published_rows"], report["classes"], report["promises"][0]["holds"], report["utility"]["ail"])'
cat release/perturbation.csv
head -1 release/table.csv
cut -d, -f1 release/table.csv | tail -n +2 | uniq -c | awk '{ print $1 }' | uniq
covey verify release --original people.csv --json | grep -E '"(holds|faithful)"' | sort | uniq -c
# forge FILE FROM TO: changes a file and makes its hash and size right again.
forge() {
    rm -rf forged
    cp -r release forged
    sed -i "s/$2/$3/" "forged/$1"
    python3 - "$1" <<'END'
import hashlib, json, sys
manifest = json.load(open("forged/manifest.json"))
data = open("forged/" + sys.argv[1], "rb").read()
for file in manifest["files"]:
    if file["name"] == sys.argv[1]:
        file.update(bytes=len(data), sha256=hashlib.sha256(data).hexdigest())
json.dump(manifest, open("forged/manifest.json", "w"))
END
}
echo "-- a value is kept more often than is allowed"
forge perturbation.csv '0.2499[0-9]*$' 0.5
fails 1 covey verify forged | grep perturbation.csv
echo "-- a prior that is not the table's"
forge perturbation.csv '^cold,0.33333333333333331' 'cold,0.25'
fails 1 covey verify forged | grep perturbation.csv
echo "-- another age"
forge table.csv '^40,' '41,'
covey verify forged | tail -n 1
fails 1 covey verify forged --original people.csv | grep -A1 Problems
echo "-- a value that is none"
forge table.csv '^40,[a-z]*' '40,plague'
fails 1 covey verify forged | grep -A1 Problems
echo "-- promises that it cannot keep"
fails 2 covey anonymize people.csv --quasi age --sensitive disease --model k-anonymity:k=3 --method perturbation -o other
ls -d other 2>/dev/null || true
