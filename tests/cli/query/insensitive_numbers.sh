# Insensitive numbers are numbers to queries and exports, wherever the table came from, though they are published and sorted as texts.
policy='--quasi age --sensitive illness --insensitive pay,share,code --model k-anonymity:k=4 --method mondrian --seed 1 --quiet'
python3 - <<'EOF'
import csv, sqlite3
c = sqlite3.connect("people.db")
c.execute("CREATE TABLE people(age INTEGER, pay INTEGER, share REAL, code TEXT, illness TEXT)")
rows = [(20 + i, None if i == 3 else 8 + i % 5, i % 4 / 4, f"{i % 3:02}", "abc"[i % 3]) for i in range(40)]
c.executemany("INSERT INTO people VALUES (?, ?, ?, ?, ?)", rows)
c.commit()
with open("people.csv", "w", newline="") as file:
    csv.writer(file).writerows([("age", "pay", "share", "code", "illness"), *rows])
EOF
covey anonymize 'sqlite:people.db?table=people' $policy -o release
covey anonymize people.csv $policy -o of-csv
diff -r release of-csv && covey verify release --original people.csv
question='SELECT SUM(pay), AVG(share), MAX(pay) WHERE age < 45 AND pay >= 9'
covey query release "$question"
covey export release --to sqlite:release.db --quiet
sqlite3 release.db '.schema table' "SELECT sum(pay), avg(share) FROM \"table\""
covey query release "$question" --sql | sqlite3 release.db
covey query of-csv "SELECT COUNT(*) WHERE pay < 10"
echo "--- --type text means text, and a manifest makes no numbers of texts ---"
covey anonymize 'sqlite:people.db?table=people' $policy --type pay=text -o text
fails 2 covey query text 'SELECT SUM(pay)'
tr -d '\n' <release/manifest.json | sed 's/"name": "code", *"role": "insensitive", *"type": "text",/&"read_as": "decimal",/' >forged
cp -r release of-texts
sed 's/^\(.*\),00,/\1,x,/' release/table.csv >of-texts/table.csv
python3 - <<'EOF'
import hashlib, json
manifest, text = json.load(open("forged")), open("of-texts/table.csv", "rb").read()
for file in manifest["files"]:
    if file["name"] == "table.csv":
        file.update(bytes=len(text), sha256=hashlib.sha256(text).hexdigest())
json.dump(manifest, open("of-texts/manifest.json", "w"))
EOF
fails 2 covey query of-texts 'SELECT SUM(code)'
sed 's/"read_as": "integer"/"read_as": "number"/' release/manifest.json >of-texts/manifest.json
fails 2 covey query of-texts 'SELECT SUM(pay)'
