# A sensitive column of very many values: verdicts on all who are left are asked for now and then, and bounds for the values of a
# group alone. What is published holds, is the original's, and loses no row; also where auto has hardly any time.
awk 'BEGIN { print "age,zip,amount"; for (i = 0; i < 9000; i++) print i * 7 % 61 "," i * 13 % 97 "," (i * i * 31 % 7919) / 100 }' >rows.csv
for model in entropy-l-diversity:l=3 recursive-cl-diversity:c=2,l=3 probabilistic-l-diversity:l=4 enhanced-beta-likeness:beta=2 t-closeness:t=0.3; do
    covey anonymize rows.csv --quasi age,zip --sensitive amount --model $model --method peel --force --quiet -o release
    covey verify release --original rows.csv --quiet
    covey measure release --json | grep -E '^  "(ail|suppressed_rows)"'
done
echo "-- hardly any time"
covey anonymize rows.csv --quasi age,zip --sensitive amount --model entropy-l-diversity:l=3 --method auto:time-limit=0.01 --force --quiet -o release
covey verify release --original rows.csv --quiet
