# Part by part: the same from any number of threads and any order of rows; what cannot be done so says why.
covey generate census --rows 20000 --seed 5 -o people.csv --quiet
run() {
    covey anonymize "$@" --quasi age,gender,education --sensitive salary --others drop 2>/dev/null
}
limited=(--memory-limit 32M --model k-anonymity:k=50 --method mondrian)
run people.csv "${limited[@]}" --threads 1 -o one | head -1
{ head -1 people.csv; tail -n +2 people.csv | tac; } >reversed.csv
run reversed.csv "${limited[@]}" --threads 3 -o two | head -1
diff -r one two && echo "the same"
covey verify one --original people.csv --quiet >verdict
refuses() {
    fails 2 covey anonymize people.csv --quasi age,gender --sensitive salary --others drop --model k-anonymity:k=5 --quiet -o new "$@"
}
refuses --memory-limit 2G
refuses --memory-limit 2G --method full-domain
refuses --memory-limit 2G --method slicing
refuses --memory-limit 2G --method mondrian --trace trace.csv
refuses --memory-limit 8 --method mondrian
refuses --memory-limit 2X --method mondrian
gzip -k people.csv
covey anonymize people.csv.gz "${limited[@]}" --quasi age,gender,education --sensitive salary --others drop -o three 2>/dev/null | head -1
cmp one/table.csv three/table.csv
ls -A
