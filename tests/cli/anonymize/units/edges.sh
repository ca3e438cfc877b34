# The edges: one unit, units that differ much, names and constants that contradict each other, a person who is also known by.
visits() {
    covey anonymize "$1" --entity p --quasi age --sensitive ill --force --quiet "${@:2}"
}
echo "-- one unit is the whole table"
for i in 1 2 3 4 5 6; do echo "u,2$i,i$i"; done | sed '1i p,age,ill' >one.csv
fails 1 visits one.csv --model k-anonymity:k=2 --method mondrian -o one
visits one.csv --model k-anonymity:k=1 --method peel -o one
cat one/units.csv
echo "-- one with three of eight rows"
printf 'p,age,ill\na,20,x\na,21,y\na,22,z\nb,31,x\nc,32,x\nd,33,x\ne,34,x\nf,35,x\n' >eight.csv
for method in mondrian peel elastic full-domain; do
    fails 1 visits eight.csv --model k-anonymity:k=5 --method $method -o eight 2>/dev/null
    visits eight.csv --model k-anonymity:k=5,units=count --method $method -o eight 2>/dev/null
    tail -1 eight/units.csv
done
echo "-- units with the values {x}, {x, y}, {y} and {z}"
printf 'p,age,ill\n1,20,x\n2,20,x\n2,20,y\n3,20,y\n4,20,z\n' >sets.csv
visits sets.csv --model distinct-l-diversity:l=3 --model probabilistic-l-diversity:l=2 --method mondrian -o sets
tail -1 sets/units.csv
fails 1 visits sets.csv --model probabilistic-l-diversity:l=21/10 --method mondrian -o sets
echo "-- the entity is a quasi-identifier, too"
fails 2 visits eight.csv --quasi p,age --model k-anonymity:k=2 --method mondrian -o both
echo "-- one of 25 persons with two rows has two sexes, and half have several ages"
for p in $(seq 25); do
    printf 'p%s,%s,%s,flu\np%s,%s,%s,flu\n' $p $((30 + p)) F $p $((30 + p + p % 2)) $([ $p = 7 ] && echo M || echo F)
done | sed '1i p,age,sex,ill' >sexes.csv
covey anonymize sexes.csv --entity p --quasi age,sex --sensitive ill --model k-anonymity:k=2 --method mondrian -o sexes 2>&1 >/dev/null | grep several
echo "-- 10,000 units of 1 to 1,000 rows"
awk 'BEGIN {srand(3); print "p,age,ill"; for (u = 1; u <= 10000; u++) {n = u % 1000 == 0 ? u / 10 : 1 + u % 3; a = int(60 * rand())
    for (i = 0; i < n; i++) print "p" u "," 20 + a + i % 4 "," int(20 * rand())}}' >many.csv
for method in mondrian peel elastic full-domain; do
    visits many.csv --model k-anonymity:k=5 --method $method -o many --links many.links --json 2>/dev/null |
        python3 -c 'import json, sys; r = json.load(sys.stdin); print(r["rows"], r["classes"] > 10, r["promises"][0]["holds"])'
    covey verify many --original many.csv --links many.links | tail -1
done
echo "-- a list of whose rows are in which class, where rows are nobody's"
fails 2 covey anonymize sexes.csv --quasi age,sex --sensitive ill --others drop --model sliced-l-diversity:l=1 --method slicing -o nobody --links nobody.links
covey anonymize sexes.csv --quasi age,sex --sensitive ill --others drop --model k-anonymity:k=2 --method mondrian -o nobody --quiet
fails 2 covey verify nobody --original sexes.csv --links many.links
