# Where a table, one of its hierarchies or both do not fit on the disk nothing is left, not even an empty folder.
ulimit -f 1
fails 3 covey generate census -n 1000 -o t.csv
fails 3 covey generate census -n 100000 --seed 2 -o t.csv
fails 3 covey generate normal2d -n 100000 -o t.csv.gz
ls -A
covey generate census -n 10 -o t.csv --quiet
ls -A
cp t.csv before
fails 3 covey generate census -n 1000 -o t.csv --force
cmp t.csv before
# A hierarchy that is somebody else's is found before the table is made, and the others do not appear.
rm -r t.csv hierarchies
mkdir hierarchies
printf 'mine\n' >hierarchies/workclass.csv
fails 2 covey generate census -n 10 -o t.csv
ls -A . hierarchies
