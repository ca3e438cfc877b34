# A release from a table of a server: of one state of the table though others change it meanwhile, and nothing at all if the server dies.
postgresql
sql <<'END'
SET ROLE covey;
CREATE TABLE people(id serial, age integer, sex text, disease text);
INSERT INTO people(age, sex, disease) SELECT 20 + i / 20, substr('fm', 1 + i % 2, 1), substr('abcd', 1 + i % 4, 1) FROM generate_series(1, 400) i;
CREATE TABLE copy AS SELECT * FROM people;
CREATE VIEW slow AS SELECT id, age, sex, disease FROM people, LATERAL (SELECT pg_sleep(0.004 + 0 * age)) s;
END
policy='--quasi age,sex --sensitive disease --identifier id --model k-anonymity:k=5 --method mondrian'
covey anonymize "$address&table=slow" $policy -o release --quiet >/dev/null &
sleep 0.6
sql -c 'DELETE FROM people WHERE id % 3 = 0' -c "UPDATE people SET disease = 'x'"
wait $!
covey verify release --original "$address&table=copy" | tail -n 2
grep -c -e s3cret -e postgresql release/manifest.json || true
(fails 3 covey anonymize "$address&table=slow" $policy -o other 2>err) &
sleep 0.6
"$ROOT/tools/postgresql" kill "$server"
wait $!
grep -o 'the connection to the server is lost' err
grep -c s3cret err || true
fails 3 covey anonymize "$address&table=slow" $policy -o other
ls -A
