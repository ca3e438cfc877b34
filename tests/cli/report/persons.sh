# Pages about releases whose rows have persons count these, in classes and in groups; and of a table that changes each row is another person's.
visits_of_twelve | cut -d, -f1-4 >visits.csv
release() { covey anonymize visits.csv --entity patient --quasi age,ward --sensitive disease --quiet "$@"; }
page() { covey report "$1" --format md 2>stderr | grep -A6 -E '^## (How many|The risk)|^The rows belong|^(Each row|Rows were)' || cat stderr; }
release --model k-anonymity:k=3 --method mondrian -o classes
release --model distinct-l-diversity:l=3 --method anatomy -o groups
for each in classes groups; do
    echo "-- $each"
    page $each
done
covey report groups --json 2>stderr | python3 -c 'import json, sys
print(json.load(sys.stdin)["units"])'
echo "-- one row for each person"
sed -n '1p;2~2p' visits.csv >now.csv
covey anonymize now.csv --entity patient --quasi age,ward --sensitive disease --quiet --model m-invariance:m=3 --ledger ledger.csv -o invariant
page invariant
echo "-- rows alone, of one person in each class"
printf '%s\n' patient,age a,20 a,20 b,70 b,70 >alone.csv
covey anonymize alone.csv --entity patient --quasi age --quiet --model k-anonymity:k=2,units=rows --method mondrian -o alone
covey report alone --format md 2>stderr | grep -o '2 rows, of [0-9]* [a-z]*'
