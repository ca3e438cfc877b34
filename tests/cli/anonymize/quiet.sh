# Warnings go to stderr, unless they are not wanted; there is no progress line where stderr is no terminal.
printf 'age,disease\n20,flu\n20,flu\n' >people.csv
covey anonymize people.csv --quasi age --sensitive disease --model k-anonymity:k=2 --method mondrian -o loud 2>words >summary
grep -c . words || true
covey anonymize people.csv --quasi age --sensitive disease --model k-anonymity:k=2 --method mondrian -o quiet --quiet >summary
