# A delimiter that the policy states is in the manifest, so that the original can be read again.
covey generate census --rows 200 --seed 1 --quiet -o all.csv
for delimiter in : '#' ' ' $'\1' tab ,; do
    tr , "${delimiter/tab/$'\t'}" <all.csv >people.csv
    covey anonymize people.csv --delimiter "$delimiter" --quasi age,gender --sensitive salary --others drop --model k-anonymity:k=5 \
        --method mondrian --force --quiet -o release
    grep '"delimiter"' release/manifest.json
    covey verify release --original people.csv --quiet
    covey measure release --original people.csv --json | grep '"discernibility"'
done
echo "-- one that is guessed is not: a copy may have another"
covey anonymize all.csv --quasi age,gender --sensitive salary --others drop --model k-anonymity:k=5 --method mondrian --force --quiet -o release
grep '"delimiter"' release/manifest.json || echo "not stated"
tr , ';' <all.csv >people.csv
covey verify release --original people.csv --quiet
echo "-- stated, and another would be guessed"
printf 'a;x b,c\n1;2,3\n1;2,4\n' >people.csv
covey anonymize people.csv --delimiter ';' --quasi a --others drop --model k-anonymity:k=2 --method mondrian --force --quiet -o release
covey verify release --original people.csv --quiet
