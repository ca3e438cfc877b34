# Queries with bounds are timed in a server, too, where one is named; the schema that this needs is gone afterwards.
postgresql
covey reproduce ke-time -o figures --rows 1000 --server "$address" --json | python3 -c 'import csv, json, sys
figure = json.load(sys.stdin)["figures"][0]
assert "times in PostgreSQL" in figure["finding"], figure
for row in csv.DictReader(open("figures/ke-time.csv")):
    assert len(row) == 5 and all(float(cell) > 0 for cell in row.values()), row
print(figure["name"])'
sql -c "SELECT COUNT(*) FROM pg_namespace WHERE nspname LIKE 'covey%'"
# What was measured without it is not kept, and the other way round.
echo 'kept,1' >>figures/ke-time.csv
covey reproduce ke-time -o figures --rows 1000 --resume --quiet
grep -c kept figures/ke-time.csv || true
# Nothing is measured where the address is wrong.
fails 2 covey reproduce ke-time -o wrong --server "$address&schema=s"
fails 2 covey reproduce ke-time -o wrong --server sqlite:file.db
fails 3 covey reproduce ke-time -o wrong --server "postgresql://covey:wrong@/covey?host=$server" 2>err
grep -o 'password authentication failed' err
ls
