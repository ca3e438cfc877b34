# A limit that a method has no use for is said, with the reason; nothing is said where it was used, or could have been.
printf 'age,disease\n20,flu\n20,flu\n30,cold\n30,flu\n40,flu\n40,cold\n' >people.csv
anonymize() {
    covey anonymize people.csv --quasi age --sensitive disease -o release --force --suppression 0.5 "$@" >/dev/null
}
anonymize --model k-anonymity:k=2 --method mondrian
anonymize --model k-anonymity:k=2 --method peel
anonymize --model k-anonymity:k=2 --method full-domain
anonymize --model enhanced-beta-likeness:beta=2 --method peel
anonymize --model enhanced-beta-likeness:beta=2 --method peel --memory-limit 64M
anonymize --model enhanced-beta-likeness:beta=2 --method peel --suppression 0
# rows that are dropped for missing values are another matter
printf ',flu\n' >>people.csv
anonymize --model k-anonymity:k=2 --method mondrian --missing-quasi drop
