# Random queries over randomized values: the inverse of the randomization, and the same drawn towards the prior, which errs less over so few rows.
covey generate census --rows 2000 --seed 1 -o census.csv --quiet
covey anonymize census.csv --quasi age,gender,education,marital,workclass --sensitive salary --model enhanced-beta-likeness:beta=4 --method perturbation \
    --seed 7 -o release --quiet >summary
covey measure release --original census.csv --queries 200 | tail -n 7
covey measure release --original census.csv --queries 200 --shrink | tail -n 7
echo "-- refused"
fails 2 covey measure release --original census.csv --shrink
covey anonymize census.csv --quasi age,gender --sensitive salary --others drop --model k-anonymity:k=10 --method mondrian -o classes --quiet >summary
fails 2 covey measure classes --original census.csv --queries 5 --shrink
