# Who knows the program asks in which worlds it would have published the same; the whole table is tried, or nothing.
printf 'q,s\n3,a\n5,a\n7,b\n8,b\n11,a\n13,b\n17,c\n19,c\n' >people.csv
cat >policy.yaml <<'END'
version: 1
input: {path: people.csv}
attributes:
  - {name: q, role: quasi-identifier, domain: [0, 19]}
  - {name: s, role: sensitive}
privacy:
  - {model: enhanced-beta-likeness, beta: 1}
method: {name: burel}
END
covey anonymize policy.yaml --seed 1 -o release --quiet >summary
covey attack release --policy policy.yaml --attack minimality
echo "-- a policy that is not the release's"
sed 's/burel/mondrian/' policy.yaml >other.yaml
covey attack release --policy other.yaml --attack minimality --json | grep -o '"made_again": [a-z]*'
echo "-- without the policy it cannot be run"
fails 2 covey attack release --attack minimality 2>&1
covey attack release | grep -A 1 'minimality:'
echo "-- of a larger table it says why not"
covey generate census --rows 100 --seed 1 -o census.csv --quiet
sed 's/people/census/; s/name: q,/name: age,/; s/ domain: \[0, 19\]/ domain: [0, 200]/; s/name: s,/name: salary,/; s/^method/others: drop\nmethod/' policy.yaml >census.yaml
covey anonymize census.yaml --seed 1 -o large --quiet >summary
covey attack large --policy census.yaml --attack minimality
