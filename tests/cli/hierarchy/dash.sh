# - is the name of no file: nobody should find one that is called so.
printf 'age\n20\n30\n' >people.csv
fails 2 covey hierarchy build people.csv age '{balanced: 2}' -o -
fails 2 covey generate census --rows 3 -o -
fails 2 covey inspect people.csv --policy -
fails 2 covey report people.csv -o -
covey hierarchy build people.csv age '{balanced: 2}' -o ./- --quiet
test -f ./-
