# FROM names the release, its folder or one of its tables, in any letters; another table is an error that says which names will do.
printf 'age,s\n20,a\n21,b\n22,a\n23,b\n' >t.csv
covey anonymize t.csv --quasi age --sensitive s --model probabilistic-l-diversity:l=2 --method anatomy -o wards --quiet
covey anonymize t.csv --quasi age --sensitive s --model sliced-l-diversity:l=2 --method slicing -o sliced --quiet
for name in release Release wards quasi SENSITIVE '"quasi"'; do covey query wards/ "SELECT COUNT(*) FROM $name WHERE age > 20" --json | tr -d ' \n' | cut -c1-60; done
covey query sliced 'SELECT COUNT(*) FROM "column-1"' --json | tr -d ' \n' | cut -c1-60
(cd wards && covey query . 'SELECT COUNT(*) FROM wards' --json) | tr -d ' \n' | cut -c1-60
covey query wards 'SELECT COUNT(*) FROM wards' --sql >/dev/null
for name in t help quasi.csv; do fails 2 covey query wards "SELECT COUNT(*) FROM \"$name\""; done
fails 2 covey query wards 'SELECT COUNT(*) FROM people' --sql
fails 2 covey query sliced 'SELECT COUNT(*) FROM wards' --json
