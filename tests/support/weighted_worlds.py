"""Weighted sums of random tiny releases, against every world that a release allows."""
import csv, itertools, json, random, re, sqlite3, subprocess, sys
from fractions import Fraction as F

form, rounds, seed = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
rng = random.Random(seed)
policies = {
    "generalized": ("[{model: k-anonymity, k: 2}BETA]", ["mondrian", "peel", "elastic"]),
    "bucketized": ("[{model: probabilistic-l-diversity, l: 2}]", ["anatomy"]),
    "transformed": ("[{model: p-private}]", ["distribution", "{name: distribution, fakes: 2}"]),
    "perturbed": ("[{model: basic-beta-likeness, beta: 3}]", ["perturbation"]),
}

def covey(*words, check=True):
    done = subprocess.run(["covey", *words], capture_output=True, text=True)
    if check and done.returncode:
        raise SystemExit(f"{words}: {done.stderr}")
    return done

def table():
    n, values = rng.randrange(4, 8), rng.choice([[0, 3, 7], [-4, 2, 5], [1, 2, 4]])
    rows = [(rng.randrange(20, 26), rng.choice(["0.5", "2", "3.25", "10"]), rng.choice(values), rng.randrange(-3, 9)) for _ in range(n)]
    with open("t.csv", "w") as out:
        print("age,w,s,extra", file=out)
        for row in rows:
            print(*row, sep=",", file=out)

def release():
    models, methods = policies[form]
    with open("p.yaml", "w") as out:
        print(f"""version: 1
input: {{path: t.csv}}
attributes:
  - {{name: age, role: quasi-identifier}}
  - {{name: w, role: weight, publish: value, type: decimal, unique: allowed}}
  - {{name: s, role: sensitive}}
  - {{name: extra, role: insensitive, type: integer, unique: allowed}}
suppression: {{limit: {rng.choice(['0', '0.5'])}}}
method: {rng.choice(methods)}
privacy: {models.replace('BETA', rng.choice(['', ', {model: basic-beta-likeness, beta: 1}', ', {model: distinct-l-diversity, l: 2}']))}""", file=out)
    return covey("anonymize", "p.yaml", "-o", "r", "--force", "--quiet", check=False).returncode == 0

def read(name):
    return list(csv.DictReader(open(f"r/{name}")))

def ends(cell):
    found = [int(end) for end in re.findall(r"-?\d+", cell)]
    return found[0], found[-1]

def exact(bound):
    return None if bound is None else F(bound) if isinstance(bound, int) else F(str(bound))

def ask(sql):
    return json.loads(covey("query", "r", sql, "--json").stdout, parse_float=str)["answers"]

def near(found, expected, what):
    """Bounds are exact; a quotient that has no end is rounded outwards."""
    if (found is None) != (expected is None) or (found is not None and abs(F(found) - expected) > F(1, 10**9)):
        raise SystemExit(f"{what}: {found}, not {expected and float(expected)}\n{open('t.csv').read()}{open('p.yaml').read()}")

def alike(found, expected, what):
    if abs(float(found) - float(expected)) > 1e-9 * max(1, abs(float(expected))):
        raise SystemExit(f"{what}: {found}, not {expected}\n{open('t.csv').read()}{open('p.yaml').read()}")

def subsets(sure, maybe):
    for pick in itertools.product([0, 1], repeat=len(maybe)):
        yield sure + [row for row, taken in zip(maybe, pick) if taken]

def worlds_of(low, high, column):
    """Pairs (weight, value) of the selected rows, world by world, and the expected sum and its variance."""
    if form == "generalized":
        sure, maybe, mean, variance = [], [], F(0), F(0)
        for row in read("table.csv"):
            a, b = ends(row["age"])
            p, pair = F(max(0, min(b, high) - max(a, low) + 1), b - a + 1), (F(row["w"]), F(row[column]))
            if p == 1:
                sure.append(pair)
            elif p > 0:
                maybe.append(pair)
            mean += p * pair[0] * pair[1]
            variance += p * (1 - p) * (pair[0] * pair[1]) ** 2
        worlds = [world for world in subsets(sure, maybe) if world]
        return worlds, [sum(w * v for w, v in world) for world in worlds] + ([] if sure or not maybe else [F(0)]), mean, variance
    rows = read("table.csv" if form == "perturbed" else "quasi.csv")
    hit = lambda row: low <= int(row["age"]) <= high
    if column != "s":
        world = [(F(row["w"]), F(row[column])) for row in rows if hit(row)]
        worlds, mean, variance = [world] if world else [], sum(w * v for w, v in world), F(0)
        return worlds, [sum(w * v for w, v in world) for world in worlds], mean, variance
    if form == "perturbed":
        prior = [F(row["s"]) for row in csv.DictReader(open("t.csv"))]
        worlds = [[(F(row["w"]), v) for row, v in zip(rows, order) if hit(row)] for order in set(itertools.permutations(prior))]
        worlds = [world for world in worlds if world]
        return worlds, [sum(w * v for w, v in world) for world in worlds], None, None
    per_group = []
    for group in sorted({row.get("group", "") for row in rows}):
        weights = [F(row["w"]) if hit(row) else None for row in rows if row.get("group", "") == group]
        if form == "bucketized":
            values = [(int(e["s"]),) * 2 for e in read("sensitive.csv") if e["group"] == group for _ in range(int(e["count"]))]
        else:
            values = [(int(e["low"]), int(e["high"])) for e in read("sensitive.csv") if e["group"] == group for _ in range(int(e["count"]))]
        orders = list(itertools.permutations(values, len(weights)))
        per_group.append([[[(w, F(v[end])) for w, v in zip(weights, order) if w is not None] for end in range(2)] for order in orders])
    worlds = []
    for choice in itertools.product(*per_group):
        for end in range(2):
            worlds.append([pair for of in choice for pair in of[end]])
    mean = variance = None
    if form == "bucketized":
        mean = variance = F(0)
        for of in per_group:
            sums = [sum(w * v for w, v in order[0]) for order in of]
            middle = sum(sums) / len(sums)
            mean += middle
            variance += sum((x - middle) ** 2 for x in sums) / len(sums)
    worlds = [world for world in worlds if world]
    return worlds, [sum(w * v for w, v in world) for world in worlds], mean, variance

def suppressed(low, high, column):
    return json.load(open("r/manifest.json"))["suppressed_rows"]

def sums_of_weights(low, high):
    """Can nothing published be selected?"""
    return [F(0)] if not any(low <= ends(row["age"])[0] and ends(row["age"])[1] <= high for row in read("table.csv")) else [F(1)]

def check_signs(answer, sums):
    """Suppressed rows of known value: their weights are any numbers above 0."""
    prior = json.load(open("r/manifest.json")).get("prior")
    if not prior:
        assert answer["lower"] is None and answer["upper"] is None, answer
        return
    left = [int(row["s"]) for row in csv.DictReader(open("t.csv"))]
    for row in read("table.csv"):
        left.remove(int(row["s"]))
    for end, pick, opens in ("lower", min, any(v < 0 for v in left)), ("upper", max, any(v > 0 for v in left)):
        near(exact(answer[end]), None if opens else pick(sums or [F(0)]), "with suppressed rows of known value")

made = asked = rewritten = gone = 0
while made < rounds:
    table()
    if not release():
        continue
    made += 1
    covey("export", "r", "--to", "sqlite:r.db", "--force", "--quiet")
    for low, high in [(0, 99), (21, 24), tuple(sorted((rng.randrange(19, 27), rng.randrange(19, 27)))), (90, 99)]:
        for column in ["s", "extra"]:
            sql = f"SELECT SUM(w * {column}), SUM({column} * w) / SUM(w), SUM(w), COUNT(*) WHERE age BETWEEN {low} AND {high}"
            answers = ask(sql)
            worlds, sums, mean, variance = worlds_of(low, high, column)
            means = [sum(w * v for w, v in world) / sum(w for w, _ in world) for world in worlds]
            asked += 1
            n = suppressed(low, high, column)
            if n == 0:
                for answer, of in ((answers[0], sums), (answers[1], means)):
                    near(exact(answer["lower"]), min(of) if of else None, sql)
                    near(exact(answer["upper"]), max(of) if of else None, sql)
            elif form == "generalized":
                free = sum(w for w, _ in min(worlds, key=lambda world: sum(w for w, _ in world))) if worlds and F(0) not in sums_of_weights(low, high) else F(0)
                near(exact(answers[2]["lower"]), free, "SUM(w) with suppressed rows")
                assert answers[2]["upper"] is None and answers[1]["lower"] is None, answers
                gone += 1
                if column == "s":
                    check_signs(answers[0], sums)
            if form == "perturbed" and column == "s" and worlds:
                parts = [(float(w), ask(f"SELECT SUM(s) WHERE age BETWEEN {low} AND {high} AND w = {w}")[0]) for w in sorted({r["w"] for r in read("table.csv")})]
                parts = [(w, float(a["estimate"]), float(a["standard_error"])) for w, a in parts if a["estimate"] is not None]
                weight = sum(float(w) for w, _ in worlds[0])
                alike(answers[0]["estimate"], sum(w * e for w, e, _ in parts), sql)
                if all(error > 0 for _, _, error in parts):
                    alike(answers[0]["standard_error"], sum((w * error) ** 2 for w, _, error in parts) ** 0.5, sql)
                alike(answers[0]["estimate"], float(answers[1]["estimate"]) * weight, sql)
                alike(answers[0]["standard_error"], float(answers[1]["standard_error"]) * weight, sql)
            if mean is not None and worlds and n == 0:
                near(F(answers[0]["estimate"]), mean, "estimate of " + sql)
                if variance is not None and answers[0]["standard_error"] is not None:
                    assert abs(float(answers[0]["standard_error"]) ** 2 - float(variance)) < 1e-6, (sql, answers, float(variance))
            # the truth lies within, whatever was suppressed
            truth = [(F(r["w"]), F(r[column])) for r in csv.DictReader(open("t.csv")) if low <= int(r["age"]) <= high]
            if truth:
                for answer, true in zip(answers, (sum(w * v for w, v in truth), sum(w * v for w, v in truth) / sum(w for w, _ in truth), sum(w for w, _ in truth))):
                    for end, sign in (("lower", 1), ("upper", -1)):
                        if answer[end] is not None and sign * (exact(answer[end]) - true) > F(1, 10**9):
                            raise SystemExit(f"{sql}: {answer} does not hold {float(true)}")
            done = covey("query", "r", sql, "--sql", "sqlite", check=False)
            if done.returncode == 0:
                rewritten += 1
                cursor = sqlite3.connect("r.db").execute(done.stdout)
                row = dict(zip([d[0] for d in cursor.description], cursor.fetchone()))
                for answer, label in zip(answers, ("sum", "avg", "sum", "count")):
                    number = "_2" if answer is answers[2] else ""
                    figures = {"generalized": (), "perturbed": ("estimate", "standard_error")}.get(form, ("estimate",))
                    for end in ("lower", "upper") + figures:
                        ours, theirs = answer[end], row[f"{label}_{end}{number}"]
                        if (ours is None) != (theirs is None) or (ours is not None and abs(float(ours) - theirs) > 1e-6 * max(1, abs(theirs))):
                            raise SystemExit(f"{sql}: {label}_{end}{number}: {ours} and {theirs}\n{done.stdout}\n{open('t.csv').read()}")
print(form, made, "releases", asked, "questions", rewritten, "as SQL", *([gone > 0] if form == "generalized" else []))
