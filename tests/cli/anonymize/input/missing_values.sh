# A missing quasi-identifier is a value of its own, and no row is dropped silently.
printf 'age,disease\n20,flu\n20,cold\n,flu\n,gout\n30,cold\n30,\n?,flu\n' >people.csv
anonymize() {
    covey anonymize people.csv --quasi age --sensitive disease --null ',?' --model k-anonymity:k=2 --method mondrian -o release --force "$@"
}
fails 2 anonymize
anonymize --missing-sensitive value | head -1
cat release/table.csv
anonymize --missing-sensitive drop | head -1
cat release/table.csv
fails 2 anonymize --missing-sensitive drop --missing-quasi error
anonymize --missing-sensitive drop --missing-quasi drop | head -1
cat release/table.csv
