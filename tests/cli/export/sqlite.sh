# A release in SQLite: tables named after the files, columns after their headers, types from the manifest.
small_release release
covey export release --to sqlite:release.db
python3 - <<'END'
import csv, sqlite3
c = sqlite3.connect("release.db")
for name, kind, sql in c.execute("SELECT name, type, sql FROM sqlite_master WHERE name IN ('table', 'hierarchy_city', 'manifest') OR type <> 'table' ORDER BY 2, 1"):
    print(sql)
rows = list(csv.reader(open("release/table.csv")))
found = [[str(v) for v in r] for r in c.execute('SELECT * FROM "table"')]
print(found == [[x if i < 4 else str(float(x)) for i, x in enumerate(r)] for r in rows[1:]], len(found))
print(c.execute("SELECT COUNT(*), ROUND(SUM(salary), 6), TYPEOF(MAX(salary)), TYPEOF(class) FROM release").fetchall())
print(c.execute("SELECT value FROM manifest WHERE key = 'published_rows'").fetchall(), c.execute("PRAGMA integrity_check").fetchall())
END
stat -c %a release.db
# Not twice, but with --force; and only a database is replaced.
cp release.db before.db
fails 2 covey export release --to sqlite:release.db
cmp release.db before.db
covey export release --to sqlite:release.db --force --json
python3 -c 'import sqlite3; print(*(list(sqlite3.connect(f).iterdump()) for f in ("release.db", "before.db")), sep="\n")' | uniq | wc -l
echo precious >notes.db
fails 2 covey export release --to sqlite:notes.db --force
cat notes.db
mkdir folder.db
fails 2 covey export release --to sqlite:folder.db --force
touch release.db-journal && covey export release --to sqlite:release.db --force --quiet
echo x >release.db-wal
fails 2 covey export release --to sqlite:release.db --force
rm -f release.db-wal release.db-journal
# What cannot be understood.
fails 2 covey export release
fails 2 covey export release --to release.db
fails 2 covey export release --to 'sqlite:other.db?table=t'
fails 2 covey export release --to sqlite:
fails 2 covey export release --to sqlite:nowhere/release.db
fails 2 covey export nowhere --to sqlite:other.db
# A release that somebody has changed is not spread.
cp -r release changed
sed -i '2s/,[0-9.]*$/,999.95/' changed/table.csv
fails 2 covey export changed --to sqlite:other.db
# A full disk: nothing is left.
(ulimit -f 8; fails 3 covey export release --to sqlite:other.db)
ls -A
