# anatomy puts units of as many rows each and of different values into a group; what cannot be grouped is suppressed whole, or named.
for p in 1 2 3 4 5 6; do
    d=$(echo flu cold gout | cut -d' ' -f$((p % 3 + 1)))
    for row in $(seq $((1 + p / 4))); do echo "h$((p / 2)),p$p,$((20 + 3 * p + row)),$d"; done
done | sed '1i home,patient,age,disease' >visits.csv
groups() {
    covey anonymize visits.csv --others drop --entity patient --quasi age --sensitive disease --method anatomy --seed 1 --quiet --force "$@"
}
groups --model probabilistic-l-diversity:l=3 -o three --links three.links
cat three/units.csv three/sensitive.csv
covey verify three | tail -1
covey verify three --original visits.csv --links three.links | tail -1
covey query three "SELECT COUNT(*), COUNT(DISTINCT entity) WHERE age < 30"
covey query three "SELECT COUNT(DISTINCT entity) WHERE disease = 'flu'"
covey query three "SELECT COUNT(DISTINCT entity) WHERE age < 30" --sql
fails 2 covey query three "SELECT COUNT(DISTINCT entity) WHERE age < 30 AND disease = 'flu'" --sql
covey measure three --original visits.csv | grep -E 'units|unit_risk'
groups --model distinct-l-diversity:l=2 --method '{name: anatomy, qi-aware: true}' -o aware
cat aware/units.csv
echo "-- one more person with a row more than others have"
for row in 1 2 3; do echo "h9,p9,5$row,flu"; done >>visits.csv
fails 1 groups --model probabilistic-l-diversity:l=3 -o without
groups --model probabilistic-l-diversity:l=3 --suppression 0.3 -o without --links without.links
cat without/units.csv
tail -4 without.links | tr '\n' ' '
echo "-- households, and several values"
cat >homes.yaml <<'END'
version: 1
input: {path: visits.csv}
attributes:
  - {name: patient, role: entity, within: home}
  - {name: age, role: quasi-identifier}
  - {name: disease, role: sensitive}
others: drop
privacy: [{model: probabilistic-l-diversity, l: 2}]
method: anatomy
END
fails 2 covey anonymize homes.yaml -o homes
echo "h9,p9,54,cold" >>visits.csv
fails 2 groups --model probabilistic-l-diversity:l=2 -o several
fails 2 groups --model probabilistic-l-diversity:l=2 --method ke-permutation -o other
