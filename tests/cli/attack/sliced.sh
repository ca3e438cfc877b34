# Who is in a sliced release: the table of the slicing paper, whose candidates can be counted by hand.
cat >people.csv <<'END'
age,sex,zip,disease
22,M,47906,dyspepsia
22,F,47906,flu
33,F,47905,flu
52,F,47905,bronchitis
54,M,47302,flu
60,M,47302,dyspepsia
60,M,47304,dyspepsia
64,F,47304,gastritis
END
slice() {
    covey anonymize people.csv --quasi age,sex,zip --sensitive disease --type zip=text --method slicing --model sliced-l-diversity:l=2 --seed 1 -o release \
        --force --quiet --anatomize=false "$@" >summary
}
slice --columns '[[age, sex], [zip, disease]]'
covey attack release --original people.csv --attack membership
slice --columns '[[age, sex, zip], [zip, disease]]'
covey attack release --original people.csv --attack membership --json | grep -E '"(candidates|fakes|exact)"'
echo "-- what it needs, and what is not for this form"
fails 2 covey attack release --attack membership
covey attack release | grep -A 1 membership:
fails 2 covey attack release --population people.csv --attack membership
covey attack release --original people.csv --attack skewness
