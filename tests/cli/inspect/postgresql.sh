# Tables and views of a PostgreSQL server; no message holds the password.
postgresql
sql <<'END'
SET ROLE covey;
CREATE TABLE people(age integer, "zip code" text, salary numeric(10,2), born date, note text);
INSERT INTO people VALUES (30, '00123', 100.50, '1990-01-02', E'tab\there \\ back\nline'), (41, NULL, 99.00, '1980-05-01', ''),
    (30, '00124', NULL, '1990-01-02', 'é');
CREATE VIEW old AS SELECT age, salary FROM people WHERE age > 30;
CREATE TABLE "a""b; DROP TABLE people;--"("x""y" integer, "c;d" text);
INSERT INTO "a""b; DROP TABLE people;--" VALUES (1, 'x');
CREATE TABLE pictures(name text, picture bytea);
INSERT INTO pictures VALUES ('a', NULL), ('b', 'x');
CREATE SCHEMA "other one";
CREATE TABLE "other one".people(one boolean);
INSERT INTO "other one".people VALUES (true), (false);
RESET ROLE;
CREATE TABLE secrets(a integer);
END
covey inspect "$address&table=people" --policy p.yaml
grep path p.yaml
covey inspect "$address&table=old" --json | grep '"rows"'
covey inspect "$address&table=a%22b;%20DROP%20TABLE%20people;--" --json | grep '"name"'
covey inspect "$address&schema=other%20one&table=people" --json | grep '"name"'
fails 2 covey inspect "$address&table=peple"
fails 2 covey inspect "$address&schema=other&table=people"
fails 2 covey inspect "$address&table=pictures"
fails 2 covey inspect "$address"
fails 2 covey inspect "$address&tabel=people"
fails 2 covey inspect "postgresql://covey:wrong/one@/covey?host=$server&table=people"
# In libpq's words.
fails 3 covey inspect "$address&table=secrets" 2>err
fails 3 covey inspect "postgresql://covey:wrong%20one@/covey?host=$server&table=people" 2>>err
fails 3 covey inspect "postgresql://covey:wrong@/covey?host=/nowhere&table=people" 2>>err
fails 2 covey inspect "postgresql://covey:wrong%zz@/covey?host=/nowhere&table=people" 2>>err
grep -o -e "permission denied" -e "password authentication failed" -e "no address that libpq understands" err
grep -c -e wrong -e s3cret err || true
PGPASSWORD='s3cret pass' covey inspect "postgresql://covey@/covey?host=$server&table=old" --json | grep '"rows"'
# libpq is loaded only now: what is said where it cannot be.
mkdir lib
: >lib/libpq.so.5
LD_LIBRARY_PATH=lib:${LD_LIBRARY_PATH:-} fails 3 covey inspect "$address&table=people"
