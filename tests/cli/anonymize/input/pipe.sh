# The table may be a pipe: nothing of it is lost by looking at it twice.
covey anonymize <(printf 'age,disease\n20,flu\n20,cold\n') --quasi age --sensitive disease --model k-anonymity:k=2 --method mondrian \
    -o release --quiet >summary
cat release/table.csv
