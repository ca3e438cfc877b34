# method: auto says what came of each method, and ends within its time.
awk 'BEGIN { print "age,zip,ill"; for (i = 0; i < 60; i++) print 20 + (i * 7) % 40 "," (i * 3) % 11 "," (i % 3 ? "flu" : "cold") }' >people.csv
people() { covey anonymize people.csv --quasi age,zip --sensitive ill --model k-anonymity:k=4 --seed 1 -o release --force "$@"; }
people | sed -n '/were tried/,/^$/p' | sed 's/[0-9.]* s /S s /'
people --json --quiet | python3 -c 'import json, sys; print(len(json.load(sys.stdin)["candidates"]), "candidates")'
echo "-- no time"
people --method auto:time-limit=0 --json --quiet | grep outcome
covey verify release --original people.csv --quiet && echo verified
people --method mondrian --json --quiet | grep -A1 candidates
fails 2 people --quiet --method auto:time-limit=soon 2>&1
fails 2 people --quiet --method auto:k=2 2>&1
echo "-- few rows: optimal-partition may lose least"
awk 'BEGIN { print "a,b,s"; for (i = 0; i < 24; i++) print i * i * 7 % 97 "," i * 7 % 11 "," i * i % 7 }' >few.csv
covey anonymize few.csv --quasi a,b --sensitive s --model k-anonymity:k=3 --model t-closeness:t=0.3 -o few --json | grep -E '"(method|name)"' | sed 2q
echo "-- rows may be suppressed: the least loss as it is stated"
printf '%s\n' age,ill 10,b 12,a 13,a 15,c 22,c 32,b 34,c 37,a 45,a 53,b 60,c 102,b >seldom.csv
for method in auto peel elastic; do
    covey anonymize seldom.csv --quasi age --sensitive ill --model k-anonymity:k=3 --model distinct-l-diversity:l=2 --suppression 0.1 --method $method -o seldom --force --json |
        grep -oE '"ail": [0-9.]{6}'
done
echo "-- values are bounded: elastic by score, too"
awk 'BEGIN { print "a,b,s"; for (i = 0; i < 100; i++) print i * i * 7 % 97 "," i * 7 % 11 "," i * i % 7 }' >bounded.csv
bounded() { covey anonymize bounded.csv --quasi a,b --sensitive s --model alpha-k-anonymity:alpha=0.4,k=4 -o bounded --force "$@"; }
for dims in extent score; do
    bounded --method elastic:dims=$dims --json | grep -oE '"ail": [0-9.]{6}'
done
bounded | grep -oE 'elastic +[0-9.]+'
