covey generate census --rows 2000 --seed 5 -o people.csv --quiet
policy=(--quasi age,education --sensitive salary --others drop --model k-anonymity:k=5 --method elastic --quiet)
covey plan people.csv "${policy[@]}" --rows-per-part 1000 -o recipe 2>/dev/null
covey plan people.csv "${policy[@]}" --rows-per-part 600 -o other 2>/dev/null
covey part recipe 1 -o one --quiet
covey part recipe 2 -o two --quiet
merge() {
    fails 2 covey merge "$@"
}
merge recipe one two
merge recipe
merge recipe one -o release
merge recipe one two two -o release
merge recipe one nothing -o release
merge recipe one people.csv -o release
echo "-- of another plan"
merge other one two -o release
echo "-- of the rows of another table"
head -1500 people.csv >short.csv
covey part recipe 2 short.csv -o short --quiet
merge recipe one short -o release
echo "-- changed, cut off"
cp two changed
printf '\377' | dd of=changed bs=1 seek=3000 conv=notrunc status=none
merge recipe one changed -o release
head -c 3000 two >cut
merge recipe one cut -o release
echo "-- an existing folder stays"
mkdir release
merge recipe one two -o release
echo "-- empty or not, and even if that was asked for: it is no release"
merge recipe one two -o release --force
rmdir release
covey merge recipe one two -o release | head -1
echo "-- a release goes, in silence"
covey merge recipe one two -o release --force --quiet
ls
