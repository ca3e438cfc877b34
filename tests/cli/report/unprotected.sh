# A column that no promise is about is what the page warns of, however well promises about others are kept.
cat >people.csv <<'END'
age,zip,disease,income
20,1,flu,low
21,1,cold,low
22,1,gout,low
30,2,flu,low
31,2,cold,high
32,2,gout,high
END
release() { covey anonymize people.csv --quasi age,zip --method mondrian --quiet "$@" 2>stderr; }
page() { covey report "$1" --format md | grep -E '^\*\*|^- Worst attack|^No promise|homogeneity' || true; }
release --sensitive disease,income --model k-anonymity:k=3 --model probabilistic-l-diversity:l=2,attribute=disease -o one
release --sensitive disease --others drop --model k-anonymity:k=3 --model probabilistic-l-diversity:l=2,attribute=disease -o all
for each in one all; do
    echo "-- $each"
    page $each
done
