# Tables and views of SQLite databases, and what is said about those that cannot be read.
python3 - <<'END'
import sqlite3
c = sqlite3.connect("people.db")
c.execute("CREATE TABLE people(age INTEGER, \"zip code\" TEXT, salary REAL)")
c.executemany("INSERT INTO people VALUES (?, ?, ?)", [(20, "00123", 1.5), (30, None, 2.25), (30, "00124", None)])
c.execute("CREATE VIEW old AS SELECT * FROM people WHERE age >= 30")
c.execute("CREATE TABLE \"a\"\"b; DROP TABLE people\"(\"x\"\"y\" TEXT)")
c.execute("INSERT INTO \"a\"\"b; DROP TABLE people\" VALUES ('v')")
c.execute("CREATE TABLE pictures(name TEXT, picture BLOB)")
c.executemany("INSERT INTO pictures VALUES (?, ?)", [("a", None), ("b", b"\0\1")])
c.execute("CREATE TABLE bytes(name TEXT)")
c.execute("INSERT INTO bytes VALUES (CAST(x'ff' AS TEXT))")
c.execute("CREATE TABLE \"no rows\"(name TEXT)")
c.commit()
END
covey inspect 'sqlite:people.db?table=people'
covey inspect 'sqlite:people.db?table=old' --json | grep '"rows"'
covey inspect 'sqlite:people.db?table=a%22b;%20DROP%20TABLE%20people' --json | grep '"name"'
covey inspect 'sqlite:people.db?table=no%20rows' --json | grep '"rows"'
fails 2 covey inspect 'sqlite:people.db?table=peple'
fails 2 covey inspect 'sqlite:people.db?table=pictures'
fails 2 covey inspect 'sqlite:people.db?table=bytes'
fails 2 covey inspect 'sqlite:people.db?table=sqlite_master'
fails 2 covey inspect 'sqlite:people.db'
fails 2 covey inspect 'sqlite:people.db?tabel=people'
fails 2 covey inspect 'sqlite:nowhere.db?table=people'
fails 2 covey inspect 'sqlite:people.db?table=people' --delimiter ';'
echo 'age,zip' >people.csv
fails 2 covey inspect 'sqlite:people.csv?table=people'
# The database is as it was.
ls
