# Random queries over two releases of one table, compared with the truth.
covey generate census --rows 2000 --seed 1 -o census.csv --quiet
for method in mondrian anatomy; do
    model=k-anonymity:k=5
    [ $method = mondrian ] || model=distinct-l-diversity:l=5
    covey anonymize census.csv --quasi age,gender,education --sensitive salary --others drop --model $model --method $method --seed 3 -o $method --quiet >summary
    covey measure $method --original census.csv --queries 200 --attributes 2 --selectivity 0.2 --json | grep -A 12 workload | sed 's/\(0\.[0-9]\{4\}\)[0-9]*/\1/'
    covey measure $method --original census.csv --queries 50 --ranges | tail -n 7
    covey measure $method --original census.csv --queries 50 --arbitrary --seed 9 --threads 2 | tail -n 7
done
echo "-- integers of which hardly any occur: zip codes, a cluster at either end"
awk 'BEGIN { print "zip,s"; for (i = 0; i < 120; i++) print (i % 4 ? 10000 + i % 4 : 99999) "," substr("abc", i % 3 + 1, 1) }' >zip.csv
covey anonymize zip.csv --quasi zip --sensitive s --model k-anonymity:k=5 --method mondrian -o zip --quiet >summary
covey measure zip --original zip.csv --queries 100 --selectivity 0.05 | tail -n 7
echo "-- more values than a query may list: names, and amounts to the cent"
awk 'BEGIN { print "name,amount"; for (i = 0; i < 50000; i++) printf "n%d,%d.%02d\n", i * 7919 % 50000, i * 31 % 50000, i % 100 }' >names.csv
covey anonymize names.csv --quasi name --sensitive amount --model k-anonymity:k=5 --method mondrian -o names --quiet
covey measure names --original names.csv --queries 5 | tail -n 7
covey measure names --original names.csv --queries 5 --arbitrary | tail -n 7
echo "-- refused"
fails 2 covey measure mondrian --queries 5
fails 2 covey measure mondrian --original census.csv --ranges
fails 2 covey measure mondrian --original census.csv --queries 5 --attributes 4
fails 2 covey measure mondrian --original census.csv --queries 5 --selectivity 1.5
fails 2 covey measure mondrian --original census.csv --queries 5 --ranges --arbitrary
