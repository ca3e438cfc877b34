# For programs; texts that mean "missing" can be given, and the delimiter.
printf 'age;disease\n20;flu\n20;-\n30;gout\n30;flu\n' >people.csv
covey inspect people.csv --delimiter ';' --null '-,' --json >out.json
python3 - <<'END'
import json
o = json.load(open("out.json"))
print(sorted(o))
print(o["rows"], o["null"], o["quasi_identifiers"], o["policy"])
for c in o["columns"]:
    print(c)
END
