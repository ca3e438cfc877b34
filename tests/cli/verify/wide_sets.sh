# Sets of more than 64 values are published as *, and their classes stand in an order that a verifier can check.
awk 'BEGIN { print "city,age,disease"; for (i = 0; i < 600; i++) printf "c%03d,%d,%s\n", (i * 37) % 200, i % 4, i % 3 ? "flu" : "gout" }' >people.csv
covey anonymize people.csv --quasi city,age --sensitive disease --model k-anonymity:k=250 --model distinct-l-diversity:l=2 --method mondrian \
    -o release --quiet >summary
cut -d, -f1-3 release/table.csv | uniq -c
covey verify release --original people.csv | tail -2
