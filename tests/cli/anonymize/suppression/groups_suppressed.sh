# A group that is too small is left out, with values that nobody else has: C and w. The other rows' cells stay what they were.
cat >people.csv <<'.'
city,job,pay
A,x,10
A,y,20
A,x,30
B,x,15
B,z,25
B,y,35
C,w,50
.
covey anonymize people.csv --quasi city,job --sensitive pay --groups '{by: [city]}' --model ke-anonymity:k=3,e=5 --method ke-permutation \
    --suppression 0.5 -o release --quiet
covey verify release --original people.csv --quiet && cat release/quasi.csv
