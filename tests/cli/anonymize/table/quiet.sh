# --quiet says nothing of what was done; what was asked for as JSON is said, and so is what went wrong.
printf 'age,disease\n20,flu\n20,cold\n30,flu\n30,cold\n' >people.csv
covey anonymize people.csv --quasi age --sensitive disease --model k-anonymity:k=2 --method mondrian -o release --quiet
ls release
covey anonymize people.csv --quasi age --sensitive disease --model k-anonymity:k=2 --method mondrian -o again --quiet --json | grep '"published_rows"'
fails 1 covey anonymize people.csv --quasi age --sensitive disease --model k-anonymity:k=5 --method mondrian -o never --quiet
