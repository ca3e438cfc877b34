# Names that a database cannot tell apart, and names that look like SQL.
printf 'Age,age,"x""; DROP TABLE ""table"";--",s\n' >t.csv
for i in $(seq 12); do echo "$((i % 3)),$((i % 2)),1,$((i % 4))"; done >>t.csv
cat >p.yaml <<'END'
version: 1
input: {path: t.csv}
attributes:
  - {name: Age, role: quasi-identifier}
  - {name: age, role: insensitive}
  - {name: 'x"; DROP TABLE "table";--', role: insensitive}
  - {name: s, role: sensitive}
privacy:
  - {model: k-anonymity, k: 3}
method: {name: mondrian}
END
covey anonymize p.yaml -o release --quiet >/dev/null 2>&1
fails 2 covey export release --to sqlite:r.db
sed -i '1s/age/years/' t.csv
sed -i 's/name: age,/name: years,/' p.yaml
covey anonymize p.yaml -o release --force --quiet >/dev/null 2>&1
covey export release --to sqlite:r.db --quiet
python3 -c 'import sqlite3; print([r[1] for r in sqlite3.connect("r.db").execute("PRAGMA table_info(\"table\")")])'
