# A delimiter that nobody guesses is in the manifest, so that the original can be read again; one that is guessed is not: a
# copy may have another, and the release is the same.
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
