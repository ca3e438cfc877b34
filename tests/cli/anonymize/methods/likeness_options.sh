# Two-sided, group and proximity likeness: in flags and policies, in the manifest, and verified from the files.
awk 'BEGIN { for (i = 0; i < 400; i++) print i % 20 + 20 "," (i * 7) % 9 "," (i % 5 == 0 ? "flu" : i % 5 == 1 ? "cold" : i % 5 == 2 ? "gout" : "none") }' >rows
{ echo age,salary,disease; cat rows; } >people.csv
publish() {
    echo "-- $*"
    covey anonymize people.csv --quasi age --method elastic --force -o release --quiet "$@" >summary && covey verify release --quiet && echo holds
    python3 -c 'import json; print(json.load(open("release/manifest.json"))["promises"][0]["parameters"])'
}
publish --sensitive disease --insensitive salary --model 'basic-beta-likeness:beta=2,two-sided=ratio'
publish --sensitive disease --insensitive salary --model 'enhanced-beta-likeness:beta=2,groups=[[flu, cold], [gout]],group-beta=1/2'
publish --sensitive salary --insensitive disease --model 'enhanced-beta-likeness:beta=3,two-sided={difference: 0.9},proximity={window: 3}'
cat >policy.yaml <<'END'
version: 1
input: {path: people.csv}
attributes:
  - {name: age, role: quasi-identifier}
  - {name: salary, role: sensitive}
others: drop
privacy:
  - {model: enhanced-beta-likeness, beta: 3, proximity: {width: 2}, group-beta: 1}
method: elastic
END
covey anonymize policy.yaml -o by-policy --quiet >summary && covey verify by-policy --quiet && echo holds
# What a release says of itself is proven: with a bound that it does not keep it is refused.
echo "-- forged"
python3 - <<'END'
import json
manifest = json.load(open("by-policy/manifest.json"))
manifest["promises"][0]["parameters"]["group-beta"] = "1/100"
json.dump(manifest, open("by-policy/manifest.json", "w"))
END
fails 1 covey verify by-policy
echo "-- refused"
refuse() {
    fails 2 covey anonymize people.csv --quasi age --sensitive disease --others drop --method elastic -o refused --quiet "$@" 2>why
    sed 's/; methods that can.*//' why
}
refuse --model 'basic-beta-likeness:beta=2,two-sided={difference: 1}'
refuse --model 'basic-beta-likeness:beta=2,groups=[[flu, clod]]'
refuse --model 'basic-beta-likeness:beta=2,proximity={window: 2}'
refuse --model 'basic-beta-likeness:beta=2,group-beta=1'
refuse --model 'basic-beta-likeness:beta=2,two-sided=ratio' --method burel
refuse --model 'basic-beta-likeness:beta=2,groups=[[flu, cold]]' --method burel
