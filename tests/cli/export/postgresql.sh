# A release in PostgreSQL, all of it or nothing.
postgresql
small_release release
covey export release --to "$address"
sql -c '\d "table"' -c '\d "release"' | grep -v '^$'
sql -c 'SELECT COUNT(*), SUM(salary), MIN("job ""now""") FROM release' -c 'SELECT COUNT(*) FROM hierarchy_city'
# Not twice; with --force, and what an earlier export has left is gone.
fails 2 covey export release --to "$address"
sql -c 'SET ROLE covey' -c 'CREATE TABLE leaves_old(a int)' -c "COMMENT ON TABLE leaves_old IS 'made by covey export'" -c 'CREATE TABLE mine(a int)'
covey export release --to "$address" --force --quiet
sql -c 'SELECT COUNT(*) FROM release' -c '\dt leaves_old' -c '\dt mine'
# A table, a view or an index of that name that is somebody else's stays, and so does the export that is there.
sql -c 'SET ROLE covey' -c 'CREATE SCHEMA other' -c 'CREATE TABLE other.mine(a int)' -c 'CREATE VIEW other.classes AS SELECT 1 AS a' -c 'CREATE INDEX table_key_1 ON other.mine(a)'
fails 2 covey export release --to "$address&schema=other" --force
sql -c 'SET ROLE covey' -c 'DROP VIEW other.classes'
fails 2 covey export release --to "$address&schema=other" --force
sql -c 'SET ROLE covey' -c 'DROP INDEX other.table_key_1'
covey export release --to "$address&schema=other" --force --quiet
covey export release --to "$address&schema=other" --force --quiet
sql -c 'SET ROLE covey' -c "COMMENT ON TABLE other.classes IS 'mine now'"
fails 2 covey export release --to "$address&schema=other" --force
sql -c '\dt other.*' -c '\dv other.*'
# A schema of its own, whatever its name.
covey export release --to "$address&schema=a%22b;%20DROP%20TABLE%20mine" --quiet
sql -c "SELECT COUNT(*) FROM \"a\"\"b; DROP TABLE mine\".release" -c '\dt mine'
fails 2 covey export release --to "$address&table=t"
fails 3 covey export release --to "postgresql://covey:wrong@/covey?host=$server" 2>err
grep -o 'password authentication failed' err
grep -c -e s3cret -e wrong err || true
# Something else stands on the tables: they are not replaced.
sql -c 'SET ROLE covey' -c 'CREATE VIEW on_top AS SELECT salary FROM "table"'
fails 3 covey export release --to "$address" --force 2>err
grep -o 'other objects depend on it' err
sql -c 'DROP VIEW on_top' -c 'SELECT COUNT(*) FROM release'
# The server is slow: Ctrl-C, and its death in the middle of COPY, leave nothing.
sql <<'END'
CREATE FUNCTION public.wait() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN PERFORM pg_sleep(0.1); RETURN NEW; END';
GRANT EXECUTE ON FUNCTION public.wait() TO covey;
CREATE FUNCTION public.slow_down() RETURNS event_trigger LANGUAGE plpgsql AS $$
DECLARE r record;
BEGIN
    FOR r IN SELECT objid::regclass AS name FROM pg_event_trigger_ddl_commands() WHERE command_tag = 'CREATE TABLE' LOOP
        EXECUTE format('CREATE TRIGGER wait BEFORE INSERT ON %s FOR EACH ROW EXECUTE FUNCTION public.wait()', r.name);
    END LOOP;
END $$;
CREATE EVENT TRIGGER slow_down ON ddl_command_end WHEN TAG IN ('CREATE TABLE') EXECUTE FUNCTION public.slow_down();
END
fails 130 timeout --preserve-status -s INT 1 covey export release --to "$address&schema=stopped"
(fails 3 covey export release --to "$address" --force 2>err) &
sleep 1
"$ROOT/tools/postgresql" kill "$server"
wait $!
grep -o 'the connection to the server is lost' err
fails 3 covey export release --to "$address" 2>err
"$ROOT/tools/postgresql" restart "$server"
sql -c 'SELECT COUNT(*) FROM release' -c 'SELECT COUNT(*) FROM hierarchy_city' -c "SELECT COUNT(*) FROM pg_namespace WHERE nspname = 'stopped'"
rm err
ls -A
