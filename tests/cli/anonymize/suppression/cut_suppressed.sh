# publish-boxes: cut names no value that only suppressed rows have: 31, B and y stand in one row, which has to go.
{
    echo age,city,job,disease
    for who in 20,A 30,A 20,C 30,C; do
        printf '%s,x,flu\n%s,x,gout\n' $who $who
    done
    echo 31,B,y,flu
} >people.csv
for method in mondrian elastic peel optimal-partition full-domain; do
    covey anonymize people.csv --quasi age,city,job --sensitive disease --model probabilistic-l-diversity:l=2 --method $method --publish-boxes cut \
        --suppression 0.2 -o $method --quiet
    covey verify $method --original people.csv --quiet && tail -n +2 $method/table.csv | cut -d, -f2-4 | sort -u | tr "\n" " "; echo
done
echo "-- which values only suppressed rows have, no part knows: that is said before any table is read"
fails 2 covey plan not-read.csv --quasi age,city,job --sensitive disease --model probabilistic-l-diversity:l=2 --method mondrian --publish-boxes cut \
    --suppression 0.2 --rows-per-part 3 -o recipe
