# The proven optimum on splits of one's own, Mondrian on the same splits, limits, and how a search went.
awk 'BEGIN { print "age,income"; for (i = 0; i < 400; i++) print 20 + (i * i) % 61 "," (i * 7919) % 1000 }' >people.csv
cat >policy.yaml <<'END'
version: 1
input: {path: people.csv}
attributes:
  - {name: age, role: quasi-identifier}
  - {name: income, role: quasi-identifier, domain: [0, 1000]}
privacy: [{model: k-anonymity, k: 10}]
method:
  name: optimal-partition
  splits: {age: [25, 30, 40, 50, 65], income: "width:9"}
END
figures() { python3 -c 'import json, sys; j = json.load(sys.stdin); print(j["objective"], j["utility"]["discernibility"], j["note"])'; }
covey anonymize policy.yaml -o auto --trace steps.csv --json | figures
head -1 steps.csv
python3 - <<'END'
rows = [list(map(float, line.split(","))) for line in open("steps.csv").read().split()[1:]]
print("best falls", all(a[1] >= b[1] for a, b in zip(rows, rows[1:])), "bound rises", all(a[2] <= b[2] for a, b in zip(rows, rows[1:])),
      "they meet", rows[-1][1] == rows[-1][2])
END
grep -c '<svg' steps.svg
covey anonymize policy.yaml -o and-or --search and-or --json | figures
covey anonymize policy.yaml -o limited --search and-or --time-limit 0 --json | figures
covey anonymize policy.yaml -o mondrian --method '{name: mondrian, splits: {age: [25, 30, 40, 50, 65], income: "width:9"}}' --json | figures
covey anonymize policy.yaml -o most --cost classes --json | figures
covey anonymize policy.yaml -o long --min-length '{age: 15, income: 200}' --json | figures
for release in auto and-or limited mondrian most long; do covey verify $release --original people.csv --quiet || echo "$release is broken"; done
python3 -c 'import json; print(json.load(open("limited/manifest.json"))["objective"])'
refused() { covey anonymize policy.yaml -o never "$@" --quiet >/dev/null || echo "exit $?" >&2; }
refused --splits '{agee: distinct}'
refused --splits '{age: "quantil:9"}'
refused --splits '{age: "quantile:0"}'
refused --splits '{age: siblings}'
refused --time-limit soon
refused --memory-limit much
refused --approximation 0.5
refused --min-length '{age: 100}'
refused --cost class-error
refused --cost disc
refused --search dynamic --memory-limit 1B
refused --method '{name: mondrian, cut: relaxed, splits: {age: [30]}}'
covey anonymize policy.yaml -o outside --splits '{age: [10, 50, 30, 30]}' --json | figures
echo "promises on the sensitive values, which bounds on sizes know nothing of: the search still leaves Mondrian behind"
python3 - >groups.csv <<'EOF'
state = 10
def below(n):
    global state
    state = (state * 1103515245 + 12345) % 2**31
    return state // 65536 % n
print("a,b,c,d,s")
for i in range(2000):
    a, b, c, d = below(60), below(8) * below(8) // 4, below(8) * below(9) // 5, below(6) * below(12) // 5
    print(a, b, c, d, f"v{a // 10 if below(100) < 92 else below(6)}", sep=",")
EOF
for limit in 1 60000; do
  covey anonymize groups.csv --quasi a,b,c,d --sensitive s --model entropy-l-diversity:l=5 --model k-anonymity:k=3 --method optimal-partition --search and-or \
    --node-limit $limit -o groups --force --json | python3 -c 'import json, sys; print(json.load(sys.stdin)["objective"]["value"] < 50000)'
  covey verify groups --original groups.csv --quiet || echo "broken"
done
