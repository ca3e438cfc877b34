# A release from a table of SQLite: relative to the policy's folder, and re-checked against the table.
mkdir data
python3 - <<'END'
import sqlite3
c = sqlite3.connect("data/people.db")
c.execute("CREATE TABLE people(id INTEGER PRIMARY KEY, age INTEGER, sex TEXT, disease TEXT)")
c.executemany("INSERT INTO people VALUES (?, ?, ?, ?)", [(i, 20 + i // 2, None if i % 7 == 0 else "fm"[i % 2], "abc"[i % 3]) for i in range(40)])
c.commit()
END
cat >data/policy.yaml <<'END'
version: 1
input: {path: "sqlite:people.db?table=people"}
attributes:
  - {name: id, role: identifier}
  - {name: age, role: quasi-identifier}
  - {name: sex, role: quasi-identifier}
  - {name: disease, role: sensitive}
privacy:
  - {model: k-anonymity, k: 5}
method: {name: mondrian}
END
covey anonymize data/policy.yaml -o release --quiet >/dev/null
covey verify release --original 'sqlite:data/people.db?table=people' | tail -n 2
covey measure release --original 'sqlite:data/people.db?table=people' --json | grep rows
grep -c people release/manifest.json || true
# A folder that holds the database is not replaced.
mkdir holds && cp release/manifest.json data/people.db holds
fails 2 covey anonymize data/policy.yaml --input 'sqlite:holds/people.db?table=people' -o holds --force
# What is wrong in the data is said with row and column.
fails 2 covey anonymize data/policy.yaml --type disease=integer -o other
fails 2 covey anonymize data/policy.yaml --quasi ago --others drop -o other
