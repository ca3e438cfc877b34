# Numbers in groups that hold enough of them, far enough apart; quasi-identifiers stay as they are.
covey generate capital-loss --rows 500 --seed 3 --correlation 0.7 -o losses.csv --quiet
covey anonymize losses.csv --quasi age --sensitive capital-loss --model ke-anonymity:k=5,e=100 --method ke-permutation --seed 1 -o release >/dev/null
head -n 4 release/quasi.csv release/sensitive.csv release/help.csv
covey verify release --original losses.csv
# Every criterion, as programs see it.
for criterion in min-sum min-max min-max-touch min-max-strict scan; do
    for refine in false true; do
        covey anonymize losses.csv --quasi age --sensitive capital-loss --model ke-anonymity:k=5,e=100 --method ke-permutation --seed 1 \
            --criterion $criterion --refine $refine --json -o release --force |
            python3 -c 'import json, sys; r = json.load(sys.stdin); print(*sys.argv[1:], r["classes"], r["objective"], r["promises"][0]["achieved"])' \
                $criterion $refine
        covey verify release --original losses.csv --quiet >/dev/null
    done
done
# A switch may go without its word, although other methods have other words for it.
covey anonymize losses.csv --quasi age --sensitive capital-loss --model ke-anonymity:k=5,e=100 --method ke-permutation --refine -o release --force --quiet >/dev/null
grep -A 2 '"notes"' release/manifest.json
covey anonymize losses.csv --quasi age --sensitive capital-loss --model k-anonymity:k=5 --method peel --refine local -o release --force --quiet >/dev/null
# Inside fixed groups; too small ones are left out as far as the policy lets them.
cat >policy.yaml <<'END'
version: 1
input: {path: losses.csv}
attributes:
  - {name: age, role: quasi-identifier, hierarchy: {interval: {from: 0, to: 99, widths: [5, 20]}}}
  - {name: capital-loss, role: sensitive}
privacy: [{model: ke-anonymity, k: 5, e: 100}]
method: {name: ke-permutation}
groups: {by: [{attribute: age, level: 1}]}
END
covey anonymize policy.yaml -o release --force --seed 1 --json | python3 -c 'import json, sys; r = json.load(sys.stdin); print(r["classes"], r["objective"])'
covey verify release --original losses.csv --quiet >/dev/null
fails 1 covey anonymize policy.yaml --model ke-anonymity:k=35,e=100 -o release --force --quiet
covey anonymize policy.yaml --model ke-anonymity:k=35,e=100 --suppression 0.3 -o release --force --seed 1 --json |
    python3 -c 'import json, sys; r = json.load(sys.stdin); print(r["classes"], r["suppressed_rows"], r["objective"])'
covey verify release --original losses.csv --quiet >/dev/null
fails 2 covey anonymize policy.yaml --groups '{by: [{attribute: age, level: 4}]}' -o release --force --quiet
fails 2 covey anonymize policy.yaml --method mondrian -o release --force --quiet
fails 1 covey anonymize policy.yaml --groups '{by: [age]}' --model ke-anonymity:k=4,e=10000 -o release --force --quiet
fails 2 covey anonymize policy.yaml --criterion least -o release --force --quiet
