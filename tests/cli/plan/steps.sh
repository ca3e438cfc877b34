# Plan, parts in any order and on their own, merge: the same release as in one process, and it verifies.
covey generate census --rows 3000 --seed 5 -o people.csv --quiet
policy=(--quasi age,gender,education --sensitive salary --others drop --model k-anonymity:k=5 --method mondrian --suppression 0.01)
covey plan people.csv "${policy[@]}" --rows-per-part 700 -o recipe 2>/dev/null
stat -c '%n %a' recipe
for part in 4 2 5 1 3; do covey part recipe "$part" -o "part-$part"; done
stat -c '%n %a' part-1
covey merge recipe part-3 part-1 part-5 part-2 part-4 -o release --json >merged.json
grep -o '"rows": [0-9]*\|"classes": [0-9]*' merged.json
covey verify release --original people.csv --quiet >verdict
echo "-- a part that is made again by more threads is the same; from rows in another order the release is"
covey part recipe 2 -o again --threads 5 --quiet
cmp part-2 again
{ head -1 people.csv; tail -n +2 people.csv | tac; } >reversed.csv
covey part recipe 2 reversed.csv -o reversed --quiet
covey merge recipe part-1 reversed part-3 part-4 part-5 -o reordered --quiet >merged
diff -r release reordered && echo "the same"
echo "-- parts done together"
covey part recipe 1-3 -o part-1-3
covey merge recipe part-1-3 part-4 part-5 -o together --quiet | head -1
covey plan people.csv "${policy[@]}" --rows-per-part 700 -o recipe --force --json 2>/dev/null
cmp <(cat release/table.csv) <(covey merge recipe part-? -o third --quiet >merged && cat third/table.csv) && echo "planned again: the same recipe"
echo "-- a delimiter that would not be guessed"
for row in {1..900}; do echo "$((row % 90)),5;$((row % 7)),5;$((row % 5))"; done >people.csv
covey plan people.csv --delimiter ';' --header=false --quasi 1 --insensitive 2 --sensitive 3 --decimal 1=, --decimal 2=, --model k-anonymity:k=5 --method mondrian --rows-per-part 500 \
    -o recipe --force --quiet
for part in 1 2; do covey part recipe "$part" -o "half-$part" --quiet; done
covey merge recipe half-1 half-2 -o halves --quiet
grep '"delimiter"' halves/manifest.json
covey verify halves --original people.csv --quiet
