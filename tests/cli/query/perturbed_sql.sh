# SQL for an exported perturbed release gives the same bounds, estimates and errors as covey query, also where columns are called like those of table perturbation.
python3 - <<'END'
with open("t.csv", "w") as f:
    f.write("value,city,alpha\n")
    for i in range(600):
        f.write("%d,%s,%s\n" % (i % 7, "ABC"[i * i % 3], "" if i % 13 == 0 else "%.1f" % (i * i % 5 / 2)))
END
covey anonymize t.csv --quasi value,city --sensitive alpha --missing-sensitive value --model enhanced-beta-likeness:beta=2 --method perturbation --seed 3 -o release --quiet >summary
covey export release --to sqlite:release.db --quiet
python3 - <<'END'
import json, sqlite3, subprocess
db = sqlite3.connect("release.db")
print(*[(c[1], c[2]) for c in db.execute("PRAGMA table_info(perturbation)")])
queries = [
    "SELECT COUNT(*) WHERE alpha > 1 AND value < 4",
    "SELECT COUNT(*) WHERE (alpha > 1 AND value < 4) OR (alpha IS NULL AND value > 2) OR (alpha = 0.5 AND city = 'A') OR value = 6",
    "SELECT COUNT(*), SUM(alpha), AVG(alpha), MIN(alpha), MAX(alpha), AVG(value) WHERE city <> 'A'",
    "SELECT SUM(alpha), SUM(value), SUM(alpha) WHERE value > 9",
    "SELECT city, COUNT(*) WHERE alpha < 1 OR value = 3 GROUP BY city",
    "SELECT COUNT(*) WHERE alpha IN (0.5, 2) AND value IN (%s)" % ", ".join(map(str, range(0, 3000, 2))),  # more than a database takes in one OR
]
def same(a, b):
    return a == b or a is not None and b is not None and not isinstance(a, str) and abs(a - b) < 1e-6
for query in queries:
    sql = subprocess.run(["covey", "query", "release", query, "--sql"], check=True, capture_output=True, text=True).stdout
    answer = json.loads(subprocess.run(["covey", "query", "release", query, "--json"], check=True, capture_output=True, text=True).stdout)
    cursor = db.execute(sql)
    rows = cursor.fetchall()
    groups = answer["groups"] if "groups" in answer else [answer]
    expected = [tuple(g.get("key", {}).values()) + tuple(x[end] for x in g["answers"] for end in ("lower", "upper")) +
                tuple(x[figure] for x in g["answers"] if x["aggregate"][:3] not in ("MIN", "MAX") for figure in ("estimate", "standard_error")) for g in groups]
    agrees = len(rows) == len(expected) and all(len(r) == len(e) and all(map(same, r, e)) for r, e in zip(rows, expected))
    print(query[:130], [d[0] for d in cursor.description], "same" if agrees else (rows, expected))
END
covey query release "SELECT COUNT(*) WHERE alpha < 1 AND city = 'A'" --sql=postgresql
fails 2 covey query release "SELECT COUNT(*) WHERE alpha < 1 AND city = 'A'" --sql --shrink
