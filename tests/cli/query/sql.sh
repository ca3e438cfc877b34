# SQL for exported releases gives the same bounds as covey query.
small_release release
covey export release --to sqlite:release.db --quiet
python3 - <<'END'
import json, sqlite3, subprocess
db = sqlite3.connect("release.db")
queries = [
    "SELECT COUNT(*), SUM(salary), AVG(salary), MIN(salary), MAX(salary)",
    "SELECT COUNT(*), AVG(salary) WHERE age BETWEEN 25 AND 33 AND city = 'north'",
    "SELECT SUM(salary), SUM(salary) WHERE NOT (age < 30 OR \"job \"\"now\"\"\" IN ('0', '2'))",
    "SELECT COUNT(*) WHERE salary > 130",
    "SELECT AVG(salary), MAX(salary) WHERE age < 30 AND city = '0' OR age >= 30 AND city = '3'",
    "SELECT AVG(salary) WHERE age > 99",
    "SELECT COUNT(*), SUM(salary) WHERE age < 35 GROUP BY city",
]
for query in queries:
    sql = subprocess.run(["covey", "query", "release", query, "--sql"], check=True, capture_output=True, text=True).stdout
    answer = json.loads(subprocess.run(["covey", "query", "release", query, "--json"], check=True, capture_output=True, text=True).stdout)
    cursor = db.execute(sql)
    rows = cursor.fetchall()
    groups = answer["groups"] if "groups" in answer else [answer]
    expected = [tuple(g.get("key", {}).values()) + tuple(x[end] for x in g["answers"] for end in ("lower", "upper")) for g in groups]
    same = len(rows) == len(expected) and all(
        a == b or a is not None and b is not None and not isinstance(a, str) and abs(a - b) < 1e-9 for r, e in zip(rows, expected) for a, b in zip(r, e))
    print(query, [d[0] for d in cursor.description], rows[0], "same" if same else expected)
END
covey query release 'SELECT COUNT(*) WHERE age < 30' --sql
covey query release 'SELECT COUNT(*) WHERE age < 30' --sql postgresql
covey query release 'SELECT COUNT(*) WHERE age < 30' --sql --json
fails 2 covey query release 'SELECT COUNT(*) WHERE age < 30' --sql=oracle
fails 2 covey query release 'SELECT SUM(salary) WHERE salary > 3' --sql
# Dates have no help table; their SQL makes one of what it needs.
printf 'a,s\n1,2001-01-01\n2,2001-02-02\n3,2001-03-03\n4,2001-02-02\n5,2001-05-05\n' >dates.csv
covey anonymize dates.csv --quasi a --sensitive s --model distinct-l-diversity:l=2 --method anatomy --seed 1 -o anatomy --quiet
covey anonymize dates.csv --quasi a --sensitive s --model p-private --method distribution:fakes=1 -o distribution --quiet
for r in anatomy distribution; do
    covey export "$r" --to "sqlite:$r.db" --quiet
    for q in 'SELECT MIN(s), MAX(s), COUNT(*) WHERE a < 4' 'SELECT MAX(s), MIN(s)' 'SELECT MIN(s) WHERE a > 9'; do
        covey query "$r" "$q" | sed -n '3,$p' | awk '{print $2, $3}' | paste -sd' '
        covey query "$r" "$q" --sql | sqlite3 -separator ' ' "$r.db"
    done
done
# Of missing numbers there is no help table either: they are answered, but not in SQL.
printf 'a,s\n1,5\n2,-2.5\n3,\n4,7\n5,\n6,1\n' >missing.csv
covey anonymize missing.csv --quasi a --sensitive s --missing-sensitive value --model distinct-l-diversity:l=2 --method anatomy --seed 1 -o missing --quiet
covey query missing 'SELECT SUM(s), AVG(s), MIN(s), MAX(s) WHERE a < 5' --json
fails 2 covey query missing 'SELECT SUM(s)' --sql
# SQLite lets no column of a subquery be called "true".
printf 'a,true\n1,5\n2,-2.5\n3,4\n4,7\n5,2\n6,1\n' >true.csv
covey anonymize true.csv --quasi a --sensitive true --model p-private --method distribution -o distribution --quiet --force
covey anonymize true.csv --quasi a --sensitive true --model basic-beta-likeness:beta=2 --method perturbation --seed 1 -o perturbation --quiet
for r in distribution perturbation; do
    covey export "$r" --to "sqlite:$r.db" --quiet --force
    covey query "$r" 'SELECT COUNT(*) WHERE "true" > 2 AND a < 5' --sql | sqlite3 -separator ' ' "$r.db" | cut -d' ' -f1-2
    covey query "$r" 'SELECT COUNT(*) WHERE "true" > 2 AND a < 5' | awk '/COUNT/ {print $2, $3}'
done
# Large whole numbers beside a condition with a point, and sums that no number can hold where nobody asks for one.
printf 'a,n,s\n1,123456789012345677,1\n2,999999999999999999,2\n3,7,3\n4,123456789012345678,4\n' >wide.csv
yes 5,999999999999999999,2 | head -n 12 >>wide.csv
wide() { covey anonymize wide.csv --quasi a --sensitive s --insensitive n "$@" -o wide --quiet --force && covey export wide --to sqlite:wide.db --quiet --force; }
for how in '--model k-anonymity:k=2 --method mondrian' '--model p-private --method distribution' '--model sliced-l-diversity:l=1 --method slicing' '--model basic-beta-likeness:beta=2 --method perturbation --seed 1'; do
    wide $how
    for q in 'COUNT(*) WHERE n >= 123456789012345678 OR n < 6.5' 'MIN(n), MAX(n) WHERE n > 8 AND n <> 9.5' 'COUNT(*) WHERE n = 123456789012345678 OR n = 0.5'; do
        covey query wide "SELECT $q" | awk '$1 ~ /^(COUNT|MIN|MAX)/ {print $2, $3}' | paste -sd' '
        covey query wide "SELECT $q" --sql | sqlite3 -separator ' ' wide.db
    done
done
