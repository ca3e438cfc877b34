covey generate census --rows 2000 --seed 5 -o people.csv --quiet
covey plan people.csv --quasi age,education --sensitive salary --others drop --model k-anonymity:k=5 --method elastic --rows-per-part 600 -o recipe --quiet 2>/dev/null
part() {
    fails 2 covey part "$@"
}
part recipe 1
part recipe 0 -o part
part recipe 5 -o part
part recipe 3-2 -o part
part recipe one -o part
part recipe 1 -o part.gz
part nothing 1 -o part
part people.csv 1 -o part
part recipe 1 nothing.csv -o part
echo "-- a recipe that was changed"
sed 's/"rows": 2000/"rows": 1999/' recipe >changed
part changed 1 -o part
echo "-- a table with other columns, or other values"
cut -d, -f1-3 people.csv >narrow.csv
part recipe 1 narrow.csv -o part
sed '7s/^[0-9]*/200/' people.csv >other.csv
part recipe 1 other.csv -o part
echo "-- an existing file stays"
echo mine >part
part recipe 1 -o part
cat part
