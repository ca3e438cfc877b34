# --force replaces what an earlier export made; whatever else a database holds stays.
small_release release
show() {
    python3 - "$1" <<'END'
import sqlite3, sys
c = sqlite3.connect(sys.argv[1])
print([n for n, in c.execute("SELECT name FROM sqlite_master WHERE type IN ('table', 'view') ORDER BY rowid")])
print(c.execute('SELECT COUNT(*) FROM release').fetchall(), c.execute("PRAGMA integrity_check").fetchall())
END
}
do_sql() {
    python3 - "$@" <<'END'
import sqlite3, sys
c = sqlite3.connect(sys.argv[1])
for sql in sys.argv[2:]:
    c.execute(sql)
c.commit()
END
}
dump() { python3 -c 'import sqlite3, sys; print(*sqlite3.connect(sys.argv[1]).iterdump(), sep="\n")' "$1"; }

covey export release --to sqlite:r.db --quiet
show r.db
do_sql r.db 'CREATE TABLE thesis (page TEXT)' "INSERT INTO thesis VALUES ('mine')" 'CREATE VIEW pay AS SELECT MAX(salary) AS most FROM "table"' "DELETE FROM manifest"
covey export release --to sqlite:r.db --force --quiet
show r.db
python3 -c 'import sqlite3; c = sqlite3.connect("r.db"); print(c.execute("SELECT page, most FROM thesis, pay").fetchall(), c.execute("SELECT COUNT(*) > 5 FROM manifest").fetchall())'
# A database of somebody else gets the tables beside its own.
do_sql own.db 'CREATE TABLE thesis (page TEXT)' "INSERT INTO thesis VALUES ('mine')"
chmod 640 own.db
fails 2 covey export release --to sqlite:own.db
covey export release --to sqlite:own.db --force --quiet
show own.db
stat -c %a own.db
# A name that is taken, in whatever case, by a table, a view or an index.
for taken in 'TABLE "Table" (a)' 'VIEW classes AS SELECT 1 AS a' 'TABLE covey_export (a)' 'TABLE release (a)' 'INDEX table_key_1 ON thesis (page)'; do
    rm -f taken.db
    do_sql taken.db 'CREATE TABLE thesis (page TEXT)' "CREATE $taken" "INSERT INTO thesis VALUES ('mine')"
    dump taken.db >before
    fails 2 covey export release --to sqlite:taken.db --force
    dump taken.db | cmp - before
done
# A table of ours that somebody has made anew is not ours any more.
do_sql r.db 'DROP TABLE classes' 'CREATE TABLE classes (pupils INTEGER)' 'INSERT INTO classes VALUES (30)'
dump r.db >before
fails 2 covey export release --to sqlite:r.db --force
dump r.db | cmp - before
# Another program is writing; a full disk.
python3 - <<'END'
import sqlite3, subprocess
c = sqlite3.connect("own.db")
c.execute("BEGIN IMMEDIATE")
print(subprocess.run(["covey", "export", "release", "--to", "sqlite:own.db", "--force"]).returncode)
END
dump own.db >before
(ulimit -f 8; fails 3 covey export release --to sqlite:own.db --force)
dump own.db | cmp - before
ln -s own.db link.db
fails 2 covey export release --to sqlite:link.db --force
rm before
ls -A
