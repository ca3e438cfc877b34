# The census table is the same everywhere, bit by bit; hierarchies lie beside it and are what they should be.
mkdir data
covey generate census --rows 2000 --seed 1 -o data/census.csv
md5sum <data/census.csv
head -n 3 data/census.csv
ls data data/hierarchies
for column in gender marital workclass; do
    covey hierarchy check data/hierarchies/$column.csv data/census.csv $column
done
# Without a seed it is seed 1; compressed if the name says so; for programs as JSON.
covey generate census -n 2000 -o data/packed.csv.gz --json
zcat data/packed.csv.gz | md5sum
covey generate census -n 3 --seed 2 -o data/other.csv --quiet
cat data/other.csv
# Less noise: the same people and the same salaries, which follow the people more closely; 1 is all of it.
spread() {
    covey generate census -n 2000 --spread "$1" -o data/spread.csv --quiet --force
}
spread 1
cmp data/spread.csv data/census.csv && echo "all of it"
spread 0.2
cmp <(cut -d, -f1-5 data/spread.csv) <(cut -d, -f1-5 data/census.csv) && echo "the same people"
cmp <(cut -d, -f6 data/spread.csv | sort) <(cut -d, -f6 data/census.csv | sort) && echo "the same salaries"
cmp -s data/spread.csv data/census.csv || echo "in another order"
spread 0
python3 - <<'END'
import csv
bonus = [0, 150, 100, 400, 300, 200, 500, 250, -900, -1200]
rows = [tuple(map(int, row)) for row in list(csv.reader(open("data/spread.csv")))[1:]]
score = lambda a, g, e, m, w, s: 220 * e + 45 * (40 - abs(a - 33)) + 500 * g + 300 * (m < 2) + bonus[w]
ranked = [row[5] for row in sorted(rows, key=lambda row: (score(*row), row[5]))]
assert ranked == sorted(ranked), "without noise the score gives the salary"
END
fails 2 spread 1.1
fails 2 spread -1
