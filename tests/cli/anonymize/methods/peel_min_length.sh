# Rungs that peel publishes keep the least width, also of ladders that do not nest, and where a hierarchy has values that the table lacks.
promise() {
    covey anonymize people.csv --quasi age --model k-anonymity:k=2 --model min-length:attribute=age,length="$1" \
        --method peel --publish-boxes cut -o release --force --quiet "${@:2}"
    covey verify release --original people.csv --quiet
    cat release/table.csv
}
printf 'age\n3\n5\n9\n10\n10\n' >people.csv
promise 2 --ladders '{age: [5, 7]}'
printf 'age\n5\n5\n10\n16\n19\n23\n' >people.csv
for age in {0..39}; do
    printf '%d;a%d;b%d;c%d;*\n' $age $((age / 4)) $((age / 8)) $((age / 16))
done >ages.csv
promise 10 --hierarchy age=ages.csv
