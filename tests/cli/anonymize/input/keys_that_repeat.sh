# Eight persons with five rows each: classes of five rows would be one person each, which somebody has to say.
for p in 1 2 3 4 5 6 7 8; do
    for d in flu cold asthma gout ulcer; do echo "p$p,$((20 + 5 * p)),$d"; done
done | sed '1i patient,age,disease' >visits.csv
covey inspect visits.csv
covey anonymize visits.csv --identifier patient --quasi age --sensitive disease --model k-anonymity:k=5 --method mondrian -o dropped >/dev/null
covey anonymize visits.csv --others drop --quasi age --sensitive disease --model k-anonymity:k=5 --method mondrian -o others >/dev/null
covey anonymize visits.csv --quasi age,patient --sensitive disease --model k-anonymity:k=5 --method mondrian -o kept >/dev/null
# One row for each person, and a column with few values: nothing to say.
awk -F, '!seen[$1]++' visits.csv >persons.csv
covey anonymize persons.csv --identifier patient --quasi age --sensitive disease --model k-anonymity:k=2 --method mondrian -o persons --quiet
