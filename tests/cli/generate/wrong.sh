# Wrong usage names what is wrong, and nothing is left behind.
fails 2 covey generate
fails 2 covey generate census
fails 2 covey generate census -o a.csv
fails 2 covey generate census -n 10
fails 2 covey generate cencus -n 10 -o a.csv
fails 2 covey generate census -n 0 -o a.csv
fails 2 covey generate census -n ten -o a.csv
fails 2 covey generate census -n 10 -o nowhere/a.csv
mkdir folder
fails 2 covey generate census -n 10 -o folder
ls -A . folder
