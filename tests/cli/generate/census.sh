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
