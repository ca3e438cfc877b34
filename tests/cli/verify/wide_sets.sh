# Sets of more than 64 values are published as *, and their classes stand in an order that a verifier can check.
awk 'BEGIN { print "age,city,disease"; for (i = 0; i < 600; i++) printf "%d,c%03d,%s\n", i % 4, (i * 37) % 200, i % 3 ? "flu" : "gout" }' >people.csv
covey anonymize people.csv --quasi age,city --sensitive disease --model k-anonymity:k=250 --model distinct-l-diversity:l=2 --method mondrian \
    -o release --quiet >summary
cut -d, -f1-4 release/table.csv | uniq -c
covey verify release --original people.csv | tail -2
