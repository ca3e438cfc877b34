# Where a release says how many persons each class has, they are measured beside the rows; elsewhere nothing is said of persons.
visits_of_eight >visits.csv
visits() {
    covey anonymize visits.csv --others drop --quasi age --sensitive disease --method mondrian --quiet "$@"
}
visits --entity patient --model k-anonymity:k=4 -o persons
covey measure persons
covey measure persons --json | grep -i unit
covey report persons --format json | sed -n '/"units": {/,/^  }/p'
SOURCE_DATE_EPOCH=0 covey report persons --format md | grep -e '^- Worst risk' -e 'persons' -e 'Rows were counted'
visits --model k-anonymity:k=4 -o rows
covey measure rows --json | grep -ci unit || true
covey report rows --format json | grep '"units"'
cat >homes.yaml <<'END'
version: 1
input: {path: visits.csv}
attributes:
  - {name: patient, role: entity, within: home}
  - {name: age, role: quasi-identifier}
  - {name: disease, role: sensitive}
others: drop
privacy: [{model: k-anonymity, k: 4, units: count}]
method: mondrian
END
covey anonymize homes.yaml -o homes --quiet
covey measure homes | sed -n '1p;/unit/p'
SOURCE_DATE_EPOCH=0 covey report homes --format md | grep 'household'
