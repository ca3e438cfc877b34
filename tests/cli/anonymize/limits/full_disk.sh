# No file may be larger than 8 KiB: the release does not fit, and nothing of it stays.
awk 'BEGIN { print "age,disease"; for (i = 0; i < 5000; i++) print i % 90 "," i % 7 }' >people.csv
(
    ulimit -f 8
    fails 3 covey anonymize people.csv --quasi age --sensitive disease --model k-anonymity:k=5 --method mondrian -o release --quiet 2>words
)
sed "s/covey-[^/]*/.../" words; rm words
ls -A
