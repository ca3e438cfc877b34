# JSON lines and CSV: a folder with a file per table.
small_release release
covey export release --to jsonl:lines
ls -A lines
head -n 2 lines/table.jsonl
head -n 1 lines/hierarchy_city.jsonl
python3 - <<'END'
import csv, json
rows = list(csv.DictReader(open("release/table.csv")))
got = [json.loads(line) for line in open("lines/table.jsonl")]
print(len(got), all({k: str(v) for k, v in g.items() if k != "salary"} == {k: v for k, v in r.items() if k != "salary"}
                    and g["salary"] == float(r["salary"]) for g, r in zip(got, rows)))
END
covey export release --to csv:tables --quiet
cmp tables/table.csv release/table.csv
fails 2 covey export release --to csv:tables
covey export release --to csv:tables --force --quiet
mkdir other && echo precious >other/file
fails 2 covey export release --to jsonl:other --force
ls -A . other
echo "-- a value that is called null beside a cell that may stand for others"
printf 'word,ill\nnull,x\nb,y\nc,x\n' >null.csv
covey anonymize null.csv --quasi word --sensitive ill --hierarchy 'word={lines: [["null", known, "*"], [b, known, "*"]], missing-leaf: root}' --model k-anonymity:k=3 --method mondrian -o null --quiet 2>/dev/null
covey export null --to csv:leaves --quiet
cat leaves/leaves_word.csv
