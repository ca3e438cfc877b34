# A perturbed release: which value shows where which one is true, and the inverse, whose sums over rows are estimates.
{
    echo 'a,s'
    for value in 1 2 3 4; do
        for row in $(seq $((value * 10))); do echo "$((row % 3)),v$value"; done
    done
} >t.csv
covey anonymize t.csv --quasi a --sensitive s --model enhanced-beta-likeness:beta=1/2 --method perturbation --seed 1 -o r --quiet
covey export r --to csv:x --quiet
cat x/matrix.csv
python3 - <<'END'
import csv
lines = list(csv.DictReader(open("x/matrix.csv")))
values = [line["original"] for line in lines[:4]]
chance, inverse = ({(l["published"], l["original"]): float(l[name]) for l in lines} for name in ("probability", "inverse"))
assert all(abs(sum(chance[p, o] for p in values) - 1) < 1e-15 for o in values)
for a in values:
    for b in values:
        assert abs(sum(inverse[p, a] * chance[p, b] for p in values) - (a == b)) < 1e-12
print("the inverse undoes the chances")
END
covey export r --to sqlite:x.db --quiet
sqlite3 x.db "SELECT original, printf('%.9f', SUM(inverse)) FROM \"table\" JOIN matrix ON s = published WHERE a = 1 GROUP BY original" >by-matrix
for value in v1 v2 v3 v4; do
    covey query r "SELECT COUNT(*) WHERE a = 1 AND s = '$value'" --json | python3 -c "
import json, sys
print('$value|%.9f' % json.load(sys.stdin)['answers'][0]['estimate'])"
done >by-query
cmp by-matrix by-query && echo "its sums are the estimates of queries"
echo "-- values as numbers, a missing one"
printf 'a,s\n1,\n1,10\n2,9\n3,10\n4,9\n5,\n' >n.csv
covey anonymize n.csv --quasi a --sensitive s --missing-sensitive value --model basic-beta-likeness:beta=1/2 --method perturbation --seed 1 -o n --quiet
covey export n --to sqlite:n.db --quiet
sqlite3 n.db "SELECT typeof(published), typeof(original), typeof(probability), published FROM matrix WHERE original = 9"
echo "-- too many values for pairs"
seq 1 2002 | awk 'BEGIN { print "a,s" } { print $1 % 5 "," $1 % 1001 }' >many.csv
covey anonymize many.csv --quasi a --sensitive s --model basic-beta-likeness:beta=1 --method perturbation --seed 1 -o many --quiet
covey export many --to csv:y
ls y
