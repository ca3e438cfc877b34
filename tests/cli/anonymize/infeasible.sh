# "No" is an answer: exit code 1, with the cause and what could be kept.
printf 'age,disease\n20,flu\n30,gout\n40,cold\n50,flu\n' >people.csv
no() {
    fails 1 covey anonymize people.csv --quasi age --sensitive disease --method mondrian -o release --quiet "$@"
    ! ls -d release .release* 2>/dev/null
}
no --model k-anonymity:k=5
no --model distinct-l-diversity:l=4
no --model probabilistic-l-diversity:l=3
no --model entropy-l-diversity:l=4
no --model k-anonymity:k=5 --json
