# A household column and a sampling weight are declared in the policy, stay out of the release, and are found again by it.
{
    echo 'age,disease,house,people'
    for i in $(seq 16); do echo "$((20 + i)),d$((i % 4)),h$((i / 5)),50"; done
} >people.csv
cat >policy.yaml <<'END'
version: 1
input: {path: people.csv}
attributes:
  - {name: age, role: quasi-identifier}
  - {name: disease, role: sensitive}
  - {name: house, role: entity}
  - {name: people, role: weight}
privacy:
  - {model: k-anonymity, k: 4, units: count}
  - {model: distinct-l-diversity, l: 2}
method: {name: mondrian}
END
covey anonymize policy.yaml -o release --quiet >summary
head -1 release/table.csv
grep -cE 'house|people' release/manifest.json || true
covey attack release --policy policy.yaml --attack re-identification --json | grep -E '"(entities|entity_max|weighted_max)":'
echo "-- the ledger warns of a second release of the same values, once"
covey anonymize policy.yaml --method elastic -o other --quiet >summary
for release in release release other other; do
    covey attack "$release" --attack skewness --ledger ledger --json | grep released_before
done
wc -l <ledger
echo "-- which must be one"
fails 2 covey attack release --ledger people.csv
echo "-- to the end of its last line, and in every line: a release that is not seen is not warned of"
cp ledger whole
for size in 100 30 "$(($(wc -c <whole) - 1))"; do
    head -c "$size" whole >ledger
    fails 2 covey attack other --attack skewness --ledger ledger
    cmp -s ledger <(head -c "$size" whole) && echo untouched
done
sed '3s/elastic/ELASTIC/' whole >ledger
fails 2 covey attack other --attack skewness --ledger ledger
echo "-- whatever a release calls its method"
sed -i 's/"name": "elastic"/"name": "elas\\ntic"/' other/manifest.json
covey attack other --attack skewness --ledger whole --quiet | head -1
cut -d ' ' -f 4- whole
