# The whole way without a policy file: 8 rows, two of each age, cut into classes of two or more.
printf 'age,disease\n20,flu\n20,cold\n30,flu\n30,gout\n40,cold\n40,flu\n50,gout\n50,cold\n' >people.csv
covey anonymize people.csv --quasi age --sensitive disease --model k-anonymity:k=2 --method mondrian -o release >summary
sed 's/[0-9]\.[0-9][0-9] *s/N s/; s/(read.*)/(...)/' summary
ls release
cat release/table.csv
