# What lies at the edge: odd hierarchies, weights and targets, made-up values beyond a group, groups of one row, and bad target files.
cat >t.csv <<'END'
age,pay
20,10
20,20
20,20
30,40
40,40
END
cat >policy.yaml <<'END'
version: 1
input: {path: t.csv}
attributes:
  - {name: age, role: quasi-identifier}
  - {name: pay, role: sensitive}
privacy: [{model: p-private}]
method: {name: distribution}
END
show() {
    echo "== $*"
    rm -rf release
    covey anonymize policy.yaml -o release --json "$@" 2>note | python3 -c 'import json, sys
o = json.load(sys.stdin)["objective"]
print(o["name"], o["value"], "made up", o["fakes"])'
    grep warning note || true
    covey verify release --original t.csv | tail -1
    tail -n +2 release/sensitive.csv
}
# A chain: each inner node is a leaf and the rest. Zero weights: what has no share is hidden further up.
printf '%s\n' '10;10..20;10..30;*' '20;10..20;10..30;*' '30;10..30;*;*' '40;*;*;*' >chain.csv
show --hierarchy 'pay={file: chain.csv}' --target uniform --resolution exact
printf 'value,share\n10,1\n20,0\n40,1\n' >zero.csv
show --target '{file: zero.csv}'
# Mass where no row is (30): made-up values fill it, up to what is allowed.
show --hierarchy 'pay={file: chain.csv}' --target uniform --resolution exact --fakes 3
# Weights far beyond 32 bits, exact.
printf 'value,share\n10,100000000000000000\n20,200000000000000000\n40,200000000000000000\n' >large.csv
show --target '{file: large.csv}' --resolution exact
printf 'value,share\n10,461168601842738790\n20,1\n40,0\n' >uneven.csv
show --target '{file: uneven.csv}' --resolution exact
printf 'value,share\n10,9000000000000000000\n20,9000000000000000000\n' >huge.csv
fails 2 covey anonymize policy.yaml -o none --target '{file: huge.csv}'
# No made-up values, more than a group has rows, and groups of one row.
show --target uniform --fakes 0
show --target uniform --fakes 20
show --target uniform --scheme qi-sa
# One value: a hierarchy of one node; it hides nothing.
printf 'age,pay\n20,10\n30,10\n' >t.csv
show
# No rows, values outside the hierarchy.
printf 'age,pay\n' >t.csv
fails 2 covey anonymize policy.yaml -o none
printf 'age,pay\n20,10\n30,50\n' >t.csv
fails 2 covey anonymize policy.yaml -o none --hierarchy 'pay={file: chain.csv}'
printf 'age,pay\n20,10\n30,\n' >t.csv
fails 2 covey anonymize policy.yaml -o none
printf 'age,pay\n20,10\n30,20\n30,NaN\n' >t.csv
fails 2 covey anonymize policy.yaml -o none
# Bad lines of target files.
printf 'age,pay\n20,10\n30,20\n' >t.csv
bad() {
    printf "$1" >bad.csv
    fails 2 covey anonymize policy.yaml -o none --target '{file: bad.csv}'
}
bad ''
bad 'value,weight\n10,1\n'
bad 'value,share\n10,1\n10,2\n'
bad 'value,share\n10,1\n30,2\n'
bad 'value,share\n10,-1\n'
bad 'value,share\n10,1e3\n'
bad 'value,share\n10\n'
bad 'value,share\n10,1,1\n'
bad 'value,share\n10,0\n20,0\n'
bad 'value,share\nten,1\n'
printf 'value,share\n10,0.5\n' >bad.csv
fails 2 covey anonymize policy.yaml -o none --target '{file: bad.csv}' --resolution exact
fails 2 covey anonymize policy.yaml -o none --target '{file: missing.csv}'
fails 2 covey anonymize policy.yaml -o none --resolution 0
fails 2 covey anonymize policy.yaml -o none --fakes 1.5
fails 2 covey anonymize policy.yaml -o none --fakes ''
test ! -e none
