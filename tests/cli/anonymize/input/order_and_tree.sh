# A sensitive text with a declared order and a hierarchy: the tree is drawn in that order, or refused; never is another order taken instead.
printf 'q,s\n1,a\n1,c\n2,b\n2,b\n3,a\n3,c\n4,b\n4,b\n' >people.csv
printf 'a;G;*\nb;H;*\nc;G;*\n' >tree.csv
policy() { # ORDER
    cat <<END
version: 1
input: {path: people.csv}
attributes:
  - {name: q, role: quasi-identifier}
  - {name: s, role: sensitive, order: [$1], hierarchy: {file: tree.csv}}
privacy: [{model: t-closeness, t: 0.9, distance: ordered}]
method: {name: mondrian, min-size: 2}
END
}
for order in 'c, a, b' 'b, c, a'; do
    policy "$order" >policy.yaml
    covey anonymize policy.yaml -o release --force --quiet >summary
    python3 -c 'import json; m = json.load(open("release/manifest.json")); print(m["promises"][0]["achieved"], m["columns"][1]["order"], list(m["prior"]["s"]))'
    covey verify release --original people.csv --quiet | tail -n 1
done
policy 'c, b, a' >policy.yaml
fails 2 covey anonymize policy.yaml -o other
ls -d other 2>/dev/null || echo "nothing is left"
