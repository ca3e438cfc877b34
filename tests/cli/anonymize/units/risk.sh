# What the summary says of the risk counts persons, not rows: one of them may have most of a class's.
cat >visits.csv <<'END'
patient,age,disease
a,20,flu
a,20,cold
a,20,flu
a,20,gout
a,20,flu
a,20,flu
b,20,cold
c,20,flu
END
for units in count rows; do
    covey anonymize visits.csv --entity patient --quasi age --sensitive disease --model "k-anonymity:k=3,units=$units" --method mondrian -o $units 2>stderr | grep risk
    covey measure $units | grep unit_risk
done
echo "-- without persons"
covey anonymize visits.csv --identifier patient --quasi age --sensitive disease --model k-anonymity:k=3 --method mondrian -o rows-alone 2>stderr | grep risk
echo "-- one person alone"
sed '/^[bc]/d' visits.csv >one.csv
covey anonymize one.csv --entity patient --quasi age --sensitive disease --model k-anonymity:k=3,units=rows --method mondrian -o one 2>stderr | sed -n 1p
covey measure one | sed -n 1p
