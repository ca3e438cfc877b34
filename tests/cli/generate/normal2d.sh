# The points of the literature, as CPython draws them: 5,000 lines with one known sum.
covey generate normal2d --rows 5000 -o points.csv
head -n 4 points.csv
tail -n +2 points.csv | md5sum
covey generate normal2d --rows 2 --seed 123456789012 -o points.csv --force --quiet
cat points.csv
