# Found columns that overlap: an own count of what attributes tell of each other finds the same, and an own test says that columns form a tree.
cat >look.py <<'END'
import csv, glob, itertools, random, subprocess, sys

def table(seed):
    r, rows = random.Random(seed), []
    n = r.randint(5, 8)
    for _ in range(600):
        row = []
        for a in range(n):
            follows = [b for b in range(a) if (seed + a * b) % 3]
            row.append(row[r.choice(follows)] if follows and r.random() < 0.6 else r.randrange(4))
        rows.append([f"v{x}" for x in row] + [f"s{r.randrange(5)}"])
    return [f"q{a}" for a in range(n)] + ["s"], rows

def phi(rows, a, b):
    count, of_a, of_b = {}, {}, {}
    for row in rows:
        for to, key in (count, (row[a], row[b])), (of_a, row[a]), (of_b, row[b]):
            to[key] = to.get(key, 0) + 1
    least = min(len(of_a), len(of_b))
    return (sum(n * n / (of_a[x] * of_b[y]) for (x, y), n in count.items()) - 1) / (least - 1) if least > 1 else 0

def is_acyclic(columns):  # ears are taken off until nothing is left
    edges = [set(c) for c in columns]
    while True:
        for e in edges:
            others = [f for f in edges if f is not e]
            shared = {x for x in e if any(x in f for f in others)}
            if not others or any(shared <= f for f in others):
                edges.remove(e)
                break
        else:
            return not edges

def columns_of(names, overlap, seed):
    subprocess.run(["covey", "anonymize", "people.csv", "--quasi", ",".join(names[:-1]), "--sensitive", "s", "--model", "sliced-l-diversity:l=2",
                    "--method", "slicing", "--overlap", overlap, "--number-of-columns", str(3 + seed % 2), "-o", "release", "--force", "--quiet"], check=True)
    subprocess.run(["covey", "verify", "release", "--original", "people.csv", "--quiet"], check=True, stdout=subprocess.DEVNULL)
    return [next(csv.reader(open(f)))[1:] for f in sorted(glob.glob("release/column-*.csv"))]

def expected(columns, names, rows, least):
    told = {(a, b): phi(rows, names.index(a), names.index(b)) for a in names for b in names if a != b}
    plain, result, wishes = columns[:-1], [set(c) for c in columns], []
    for own, column in enumerate(plain):
        for a in column:
            best = max(((max(told[a, b] for b in other), -i) for i, other in enumerate(plain) if i != own), default=(0, 0))
            if best[0] > 0 and best[0] >= least:
                wishes.append((-best[0], len(wishes), a, -best[1]))
    for _, _, a, other in sorted(wishes):
        trial = [c | {a} if i == other else c for i, c in enumerate(result)]
        if is_acyclic(trial) and not any(x <= y for x, y in itertools.permutations(trial, 2)):
            result = trial
    return result

joined = 0
for seed in range(12):
    names, rows = table(seed)
    with open("people.csv", "w") as file:
        csv.writer(file).writerows([names] + rows)
    plain = columns_of(names, "0", seed)
    for overlap in "0.05", "1/5":
        found = columns_of(names, overlap, seed)
        assert is_acyclic(found), found
        assert found[-1] == plain[-1] and sum("s" in c for c in found) == 1, found
        assert all(sum(a in c for c in found) <= 2 for a in names), found
        wanted = expected(plain, names, rows, {"0.05": 0.05, "1/5": 0.2}[overlap])
        assert [set(c) for c in found] == wanted, (seed, overlap, found, wanted)
        joined += sum(map(len, found)) - len(names)
print("attributes joined a second column:", joined > 20)
END
python3 look.py
echo "-- refused"
refuse() {
    fails 2 covey anonymize people.csv --model sliced-l-diversity:l=2 --method slicing --quasi q0,q1,q2 --others drop -o refused --quiet "$@" 2>&1
}
refuse --sensitive s --overlap 0.1 --one-per-column true
refuse --sensitive s --overlap 0.1 --columns '[[q0, q1], [q2, s]]'
refuse --sensitive s --overlap 2
