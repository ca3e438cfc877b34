# Re-identification is of persons where the release says how many each class has: a class of 20 rows may be 4 persons', or one's.
for p in 1 2 3 4 5 6 7 8; do
    for d in flu cold asthma gout ulcer; do echo "p$p,$((20 + 5 * p)),$d"; done
done | sed '1i patient,age,disease' >visits.csv
visits() {
    covey anonymize visits.csv --others drop --quasi age --sensitive disease --method mondrian --quiet "$@"
}
visits --entity patient --model k-anonymity:k=4 -o four
covey attack four --attack re-identification
covey attack four --attack re-identification --k 5 --json | grep -e '"figure"' -e '"bound"' -e '"verdict"' -e unit
# Somebody with most rows of the class: k persons are there, and nothing is promised of shares.
for i in 1 2 3 4 5 6 7 8 9 10; do echo "p1,25,flu"; done >>visits.csv
visits --entity patient --model k-anonymity:k=2,units=count -o count
cat count/units.csv
covey attack count --attack re-identification --json | grep -e '"figure"' -e '"bound"' -e '"verdict"' -e unit
# Promises over rows alone bound nothing of persons.
visits --entity patient --model k-anonymity:k=5,units=rows -o rows
covey attack rows --attack re-identification --json | grep -e '"figure"' -e '"bound"' -e '"verdict"' -e unit
visits --model k-anonymity:k=5 -o none
covey attack none --attack re-identification --json | grep -e '"figure"' -e '"bound"' -e '"verdict"' -e unit
