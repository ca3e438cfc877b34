# Slips of a day with files: each is told with what to do about it.
printf 'work,sex\n?,m\n?,f\ngov,m\ngov,f\npriv,m\npriv,f\n' >people.csv
try() { fails 2 covey anonymize "$@" --quasi work,sex --model k-anonymity:k=2 -o release; }
policy() { printf 'version: 1\n%b' "$1" >policy.yaml; fails 2 covey anonymize policy.yaml -o release; }

try peopel.csv
try there/people.csv
policy 'input: {path: poeple.csv}\nattributes: [{name: work, role: quasi-identifier}]\nothers: drop\nprivacy: [{model: k-anonymity, k: 2}]\n'
try people.csv --delimiter ';'
printf 'work;sex\n1,5;m\n' >semicolons.csv
try semicolons.csv --delimiter ,
try people.csv --suppression 101%
try people.csv --suppression %
try people.csv --suppression '{cells: true}'
policy 'suppression: {limit: 1%, cells: true}\n'

policy 'input: {path: people.csv, null: [?]}\n'
policy 'input:\n\tpath: people.csv\n'
policy 'input: path: people.csv\n'
policy 'method: {name: peel\nprivacy: []\n'
policy 'attributes:\n  - name: a\n   role: x\n'
policy 'input: {path: people.csv, null: [*, NA]}\n'
policy 'input: {path: people.csv, delimiter: %}\n'
policy 'input:\n  path: people.csv\n attributes: []\n'
policy 'input: {path: "people.csv}\n'
policy 'input: {path:people.csv}\n'
policy 'input: {path: people.csv}\ngroups: {by:[sex]}\n'

# A leaf of a hierarchy that the policy calls missing.
printf '?;unknown;*\ngov;known;*\npriv;known;*\n' >work.csv
covey anonymize people.csv --quasi work,sex --null '?' --null x --hierarchy work=work.csv --model k-anonymity:k=1 -o release --quiet --suppression 5%
grep -A 3 '"missing"' release/manifest.json
