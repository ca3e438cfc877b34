# A delimiter that covey would not guess is in the manifest, so that the original can be read again; one that it would is not: a copy
# may have another, and the release is the same.
covey generate census --rows 200 --seed 1 --quiet -o all.csv
for delimiter in : '#' ' ' $'\1' tab ,; do
    tr , "${delimiter/tab/$'\t'}" <all.csv >people.csv
    covey anonymize people.csv --delimiter "$delimiter" --quasi age,gender --sensitive salary --others drop --model k-anonymity:k=5 \
        --method mondrian --force --quiet -o release
    grep '"delimiter"' release/manifest.json || echo "not stated"
    covey verify release --original people.csv --quiet
    covey measure release --original people.csv --json | grep '"discernibility"'
done
echo "-- a copy with another one"
tr , ';' <all.csv >people.csv
covey verify release --original people.csv --quiet
echo "-- stated, and another would be guessed"
printf 'a;x b,c\n1;2,3\n1;2,4\n' >people.csv
covey anonymize people.csv --delimiter ';' --quasi a --others drop --model k-anonymity:k=2 --method mondrian --force --quiet -o release
grep '"delimiter"' release/manifest.json
covey verify release --original people.csv --quiet
echo "-- the same of a file without a header, in parts"
for row in {1..3000}; do echo "$((row % 90)),5;$((row % 7)),5;$((row % 5))"; done >people.csv
for limit in 1G 64M; do
    covey anonymize people.csv --delimiter ';' --header=false --quasi 1 --insensitive 2 --sensitive 3 --decimal 1=, --decimal 2=, --model k-anonymity:k=5 --method mondrian \
        --memory-limit $limit --force --quiet -o release
    grep '"delimiter"' release/manifest.json
    covey verify release --original people.csv --quiet
done
