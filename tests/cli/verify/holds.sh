# A release verifies from its files alone, and is a faithful image of its table.
printf 'age,disease\n20,flu\n20,cold\n30,flu\n30,gout\n40,cold\n40,flu\n50,gout\n50,cold\n' >people.csv
covey anonymize people.csv --quasi age --sensitive disease --model k-anonymity:k=4 --model probabilistic-l-diversity:l=3/2 \
    --method mondrian -o release --quiet >summary
covey verify release
echo "-- with the original"
covey verify release --original people.csv
echo "-- for programs"
covey verify release --original people.csv --json
echo "-- quiet"
covey verify release --quiet
