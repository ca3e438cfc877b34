# What is there is replaced only by force; a hierarchy that is the same does not matter.
covey generate census -n 10 -o a.csv --quiet
fails 2 covey generate census -n 20 -o a.csv
wc -l <a.csv
covey generate census -n 20 -o b.csv --quiet
printf '0;any\n1;any\n' >hierarchies/gender.csv
fails 2 covey generate census -n 20 -o c.csv
ls
covey generate census -n 20 -o a.csv --force
wc -l <a.csv
cat hierarchies/gender.csv
# A pipe gets the table alone.
mkdir other
cd other
mkfifo pipe
cat pipe >got & covey generate census -n 2 -o pipe --quiet
wait
cat got
ls
fails 3 covey generate census -n 100000 -o /dev/full
