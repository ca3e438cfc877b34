# A table that is larger than the memory limit is read in windows, with the same verdict; forged ones are refused with the same words.
covey generate census --rows 900000 --seed 3 -o people.csv --quiet
covey anonymize people.csv --quasi age,gender,education,marital,workclass --sensitive salary --model k-anonymity:k=10 --model enhanced-beta-likeness:beta=4 \
    --method elastic -o release --quiet >summary
echo "-- the same verdict"
covey verify release --json >whole
covey verify release --memory-limit 32M --json >windows
cmp whole windows
covey verify release --memory-limit 32M --quiet
echo "-- about a forged one"
sed -i '400000s/[0-9]*$/49/; 700000s/^[0-9]*,/7,/' release/table.csv
fails 1 covey verify release --json >whole
fails 1 covey verify release --memory-limit 32M --json >windows
cmp whole windows
fails 1 covey verify release --memory-limit 32M | sed -n '/Problems/,$p'
echo "-- what it does not go with"
fails 2 covey verify release --memory-limit 32M --original people.csv
fails 2 covey verify release --memory-limit 1M
fails 2 covey verify release --memory-limit much
