# alpha-k-anonymity of one value: rows of that value are taken out, not of the most frequent one.
printf 'age,disease\n20,flu\n20,flu\n30,flu\n30,flu\n40,hiv\n40,hiv\n' >people.csv
anonymize() {
    covey anonymize people.csv --quasi age --sensitive disease --model alpha-k-anonymity:alpha=0.2,k=2,value=hiv --method mondrian -o release --force "$@"
}
fails 1 anonymize
fails 1 anonymize --suppression 0.1
anonymize --suppression 0.17 | sed -n '1,6p'
cat release/table.csv
