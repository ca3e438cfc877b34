# The same complaint for programs: file, line and column by themselves.
printf 'age,disease\n20,flu\n30\n' >ragged.csv
fails 2 covey anonymize ragged.csv --quasi age --sensitive disease --model k-anonymity:k=1 -o release --quiet --json
printf 'age,disease\n20,flu\nold,gout\n' >typed.csv
fails 2 covey anonymize typed.csv --quasi age --type age=integer --sensitive disease --model k-anonymity:k=1 -o release --quiet --json
cat >policy.yaml <<'END'
version: 1
input: {path: ragged.csv}
atributes: []
END
fails 2 covey anonymize policy.yaml -o release --quiet --json
