# Which pieces of different columns belong together is not published, so that nothing can be said of how rows are spread: no kl.  Where one column
# holds all quasi-identifiers, as bucketization does, rows are told, and nothing of them is lost.
printf 'age,zip,disease\n20,1,flu\n20,2,cold\n30,1,flu\n30,2,gout\n40,3,cold\n40,4,flu\n50,3,gout\n50,4,cold\n' >people.csv
slice() {
    covey anonymize people.csv --quasi age,zip --sensitive disease --model sliced-l-diversity:l=2 --method slicing --columns "$1" -o release --force --quiet >summary
}
slice '[[age], [zip], [disease]]'
covey measure release --original people.csv | grep -E '^ *kl |no kl'
covey measure release --original people.csv --json | grep -E -A2 '"(kl|reasons)"'
covey measure release --json | grep -E -A2 '"(kl|reasons)"'
echo "-- one column for both"
slice '[[age, zip], [disease]]'
covey measure release --original people.csv | grep -E '^ *kl |no kl'
