# mondrian's boxes keep the least width, from edge to edge; one that the domain lacks is refused with the largest that can be had.
printf 'age\n0\n4\n10\n12\n14\n20\n30\n40\n' >people.csv
box() {
    covey anonymize people.csv --quasi age --model k-anonymity:k=1 --method mondrian --min-length "$1" -o release --force --quiet "${@:2}"
}
box '{age: 10}' >/dev/null
cat release/table.csv
box '{age: 20}' >/dev/null
cat release/table.csv
fails 1 box '{age: 41}' 2>&1
