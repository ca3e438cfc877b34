# Rows go only as far as the limit allows, and the summary says how many.
printf 'age,disease\n20,flu\n20,flu\n30,flu\n30,flu\n40,flu\n40,cold\n' >people.csv
anonymize() {
    covey anonymize people.csv --quasi age --sensitive disease --model probabilistic-l-diversity:l=2 --method mondrian -o release --force "$@"
}
fails 1 anonymize
fails 1 anonymize --suppression 0.5
anonymize --suppression 0.67 | head -1
cat release/table.csv
fails 2 covey anonymize people.csv --quasi age --sensitive disease --model k-anonymity:k=7 --suppression 1.5 -o release --force --quiet
fails 1 covey anonymize people.csv --quasi age --sensitive disease --model k-anonymity:k=7 --suppression 1 -o release --force --quiet
echo "-- no suppression helps where values are too few, and where it leaves too few it says so"
printf 'a,s\n1,x\n2,x\n3,x\n4,y\n' >few.csv
fails 1 covey anonymize few.csv --quasi a --sensitive s --model recursive-cl-diversity:c=3,l=3 --suppression 0.5 -o few
printf 'a,s\n1,x\n2,x\n3,y\n4,z\n' >few.csv
fails 1 covey anonymize few.csv --quasi a --sensitive s --model recursive-cl-diversity:c=1,l=3 --suppression 0.5 -o few
