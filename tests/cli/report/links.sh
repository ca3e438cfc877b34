# What the original's columns and the publisher's list of classes add: promises over persons are proven, and risks are among people.
visits_of_twelve >visits.csv
cat >policy.yaml <<'END'
version: 1
input: {path: visits.csv}
attributes:
  - {name: patient, role: entity}
  - {name: age, role: quasi-identifier}
  - {name: ward, role: quasi-identifier}
  - {name: disease, role: sensitive}
  - {name: people, role: weight}
privacy: [{model: k-anonymity, k: 3}]
method: {name: mondrian}
END
covey anonymize policy.yaml --links links.csv -o classes --quiet
covey anonymize visits.csv --entity patient --quasi age,ward --sensitive disease --others drop --model distinct-l-diversity:l=3 --method anatomy --quiet -o groups
covey anonymize visits.csv --quasi age,ward --sensitive disease --others drop --model k-anonymity:k=3 --method mondrian --quiet -o rows
says() { # RELEASE OPTIONS
    echo "-- $*"
    covey report "$@" --format md >page.md || echo "exit $?"
    grep -o -E 'The release keeps.*(original|states it)\b|share of the rows.*|(over these as well|all rows of each person|is not published\.).*|By the original.s sampling.*estimates|The rows are those.*average' page.md
    { covey report "$@" --json || true; } | python3 -c 'import json, sys
report = json.load(sys.stdin)
units = report["units"]
print(units and (units["proven"], units["fit"]), report["persons"], report["population"])'
}
says classes
says classes --original visits.csv --entity patient
says classes --original visits.csv --links links.csv --weight people
says classes --policy policy.yaml --links links.csv
says classes --policy policy.yaml
says groups --original visits.csv --entity patient
says rows --original visits.csv --entity patient
says rows --original visits.csv --entity patient --weight people
echo "-- what no list proves"
covey anonymize visits.csv --entity patient --quasi age --sensitive disease,ward --others drop --model k-anonymity:k=3 --model distinct-l-diversity:l=2,joint=true --method mondrian --links both.csv -o both --quiet
says both --original visits.csv --links both.csv
covey verify both --original visits.csv --links both.csv | tail -1
echo "-- where no k bounds the rows of one person, links count them"
covey anonymize visits.csv --entity patient --quasi age,ward --sensitive disease --others drop --model distinct-l-diversity:l=2 --method mondrian --links two.csv -o two --quiet
for links in "" "--links two.csv"; do
    covey report two --original visits.csv $links --json | python3 -c 'import json, sys
report = json.load(sys.stdin)
print(report["units"]["largest_risk"], *[attack["figure"] for attack in report["attacks"] if attack["name"] == "re-identification"])'
done
echo "-- what is no release's, or nobody's"
awk -F, 'NR == 2 {$2 = $2 % 4 + 1} 1' OFS=, links.csv >wrong.csv
cp links.csv.json wrong.csv.json
says classes --original visits.csv --links wrong.csv
refused() { covey report "$@" 2>&1 && echo "not refused" || echo "exit $?"; }
refused classes --links links.csv
refused classes --weight people
refused classes --original visits.csv --within ward
refused classes --original visits.csv --entity patient --within ward
refused classes --original visits.csv --links links.csv --within ward
refused classes --original visits.csv --links links.csv --entity patient
refused rows --original visits.csv --entity patient --within ward
refused classes --original visits.csv --entity patiant
refused classes --original visits.csv --weight disease
refused classes --policy policy.yaml -o policy.yaml --force
refused classes --policy policy.yaml --links links.csv -o links.csv --force
refused rows --original visits.csv --links links.csv
