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
# Columns that are called like those of the help table keep their types, and the help table its numbers.
printf 'hits,count,pay\nx,1-2,10\ny,3-4,20\nx,5-6,30\ny,1-2,40\n' >h.csv
covey anonymize h.csv --quasi hits,count --sensitive pay --model ke-anonymity:k=2,e=5 --method ke-permutation -o named --quiet >/dev/null
covey export named --to sqlite:h.db --quiet
python3 - <<'END'
import sqlite3
c = sqlite3.connect("h.db")
for table in "quasi", "sensitive", "help":
    print(table, [(r[1], r[2]) for r in c.execute(f"PRAGMA table_info({table})")][1:3])
END
# A value of two lines is one row of its hierarchy's file.
printf 'town,s\n"Upper\nTown",1\nLow,2\n"Upper\nTown",2\nLow,1\n' >lines.csv
printf '"Upper\nTown";*\nLow;*\n' >town.csv
covey anonymize lines.csv --quasi town --hierarchy town=town.csv --sensitive s --model k-anonymity:k=4 --method mondrian -o lines --quiet >/dev/null 2>&1
python3 -c 'import json; print([(f["name"], f["rows"]) for f in json.load(open("lines/manifest.json"))["files"]])'
covey export lines --to sqlite:lines.db --quiet
sed -i '/hierarchies\/town.csv", *$/,/sha/s/"rows": 2/"rows": 3/' lines/manifest.json
fails 1 covey verify lines --json | grep 'manifest.json says'
# Names of columns that no file can have: too long, with a slash, a point at the beginning, control characters; two that would be one.
long=$(printf 'c%.0s' $(seq 300))
{
    printf '%s,a/b,a_b,A_B,../x,"line\nfeed",\033[31mred,s\n' "$long"
    for i in $(seq 8); do echo "u$((i % 2)),v$((i % 3)),w$((i % 4)),x$((i / 4)),y$((i / 3)),z,r,$i"; done
} >hostile.csv
covey inspect hostile.csv --policy hostile.yaml --quiet
sed -i -e 's/role: [a-z-]*/role: quasi-identifier/' -e '/name: s,/s/quasi-identifier/sensitive/' -e 's/k: 5/k: 2/' -e '/distinct-l/d' -e 's/name: auto/name: mondrian/' hostile.yaml
covey anonymize hostile.yaml -o hostile --quiet >/dev/null 2>&1
for kind in csv jsonl; do
    covey export hostile --to $kind:out --quiet
    covey export hostile --to $kind:out --quiet --force
    ls out | sed 's/cccc*/c.../'
    rm -r out
done
# A target's own name.
fails 2 covey export hostile --to "csv:$long"
fails 2 covey export hostile --to "sqlite:$long"
fails 2 covey anonymize hostile.yaml -o "$long" --quiet
fails 2 covey generate normal2d -n 2 -o "$long"
