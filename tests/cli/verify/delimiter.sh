# A delimiter that nobody guesses is in the manifest, so that the original can be read again.
for delimiter in : '#' ' ' ','; do
    covey generate census --rows 200 --seed 1 --quiet --force -o all.csv && tr , "$delimiter" <all.csv >people.csv
    covey anonymize people.csv --delimiter "$delimiter" --quasi age,gender --sensitive salary --others drop --model k-anonymity:k=5 \
        --method mondrian --force --quiet -o release
    grep '"delimiter"' release/manifest.json || echo "not stated"
    covey verify release --original people.csv --quiet
    covey measure release --original people.csv --json | grep '"discernibility"'
done
