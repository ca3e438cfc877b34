# Two classes of four rows, ages 20..30 and 40..50 of 20..50: a third is lost.  Two of four ages stand in each box, so that a reader
# believes in half of the truth: ln((2/8) / (2/8)) is 0 for each of them.
printf 'age,disease\n20,flu\n20,cold\n30,flu\n30,gout\n40,cold\n40,flu\n50,gout\n50,cold\n' >people.csv
covey anonymize people.csv --quasi age --sensitive disease --model k-anonymity:k=4 --model distinct-l-diversity:l=2 --method mondrian -o release \
    --quiet >summary
covey measure release --original people.csv
echo "-- alone"
covey measure release
echo "-- for programs"
covey measure release --original people.csv --json
echo "-- another table"
printf 'age,disease\n20,flu\n' >others.csv
fails 2 covey measure release --original others.csv
fails 2 covey measure nothing
