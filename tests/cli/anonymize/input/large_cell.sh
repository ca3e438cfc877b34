# A cell of a mebibyte is a value like any other.
{
    printf 'age,disease\n20,'
    head -c 1048576 /dev/zero | tr '\0' x
    printf '\n20,flu\n'
} >people.csv
covey anonymize people.csv --quasi age --sensitive disease --model k-anonymity:k=2 --method mondrian -o release --quiet >summary
wc -L <release/table.csv
