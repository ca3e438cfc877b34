# Values without distances: the range of a node is the number of its leaves, nodes are published by their labels.
cat >t.csv <<'END'
zip,age,disease
91110,20,flu
91110,30,cold
91120,40,ulcer
91120,50,gastritis
91210,20,flu
91210,35,ulcer
91220,45,flu
91220,55,cold
END
printf '%s\n' 'flu;respiratory;*' 'cold;respiratory;*' 'ulcer;stomach;*' 'gastritis;stomach;*' 'hernia;stomach;*' >diseases.csv
cat >policy.yaml <<'END'
version: 1
input: {path: t.csv}
attributes:
  - {name: zip, role: quasi-identifier, type: text, hierarchy: {mask: 5}}
  - {name: age, role: quasi-identifier}
  - {name: disease, role: sensitive, hierarchy: {file: diseases.csv}}
privacy: [{model: p-private}]
method: {name: distribution}
END
show() {
    covey anonymize policy.yaml -o release --quiet --json --force "$@" | python3 -c 'import json, sys
o = json.load(sys.stdin)["objective"]
print(o["name"], o["value"], "made up", o["fakes"])'
    covey verify release --original t.csv | tail -1
    cat release/sensitive.csv
}
# Five leaves; hernia has no row: it stops its brothers, unless it is made up.
show --target uniform
show --target uniform --fakes 4
grep -c '' release/help.csv 2>/dev/null || echo "no help table"
printf 'value,share\nflu,3\ncold,2\nulcer,2\ngastritis,1\n' >shares.csv
show --target '{file: shares.csv}' --resolution exact
cat release/target.csv
covey query release "SELECT COUNT(*) WHERE disease = 'respiratory' AND age < 40" --json
show --target uniform --scheme qi-sa | head -3
# Of a target that is used, and with distances along the hierarchy.
covey anonymize policy.yaml -o release --force --quiet --target '{file: shares.csv}' --model p-private --model t-closeness:t=0.1,distance=hierarchical \
    --model entropy-l-diversity:l=3.7 >/dev/null && covey verify release --original t.csv | grep -c holds
fails 1 covey anonymize policy.yaml -o none --model p-private --model probabilistic-l-diversity:l=3
fails 2 covey anonymize policy.yaml -o none --target '{normal: {mean: 1, sd: 1}}'
fails 2 covey anonymize policy.yaml -o none --target '{file: t.csv}'
sed 's/, hierarchy: {file: diseases.csv}//' policy.yaml >bare.yaml
fails 2 covey anonymize bare.yaml -o none
test ! -e none
