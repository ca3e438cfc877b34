# A population of other people than those of the table: whom the release cannot hold has no chance to be in it, whatever the kind of hierarchy.
{
    echo 'age,town,zip,disease'
    for i in $(seq 24); do echo "$((20 + i % 12)),t$((i % 3)),13$((i % 4))0$((i % 2)),d$((i % 4))"; done
} >people.csv
{
    cat people.csv
    printf '25,t1,13101,\n26,t2,13200,\n'      # might be members
    printf '19,t0,13000,\n99,t0,13000,\n'      # ages beyond those of the table
    printf '25,elsewhere,13000,\n'             # a town that no hierarchy lists
    printf '25.5,t0,13000,\nold,t0,13000,\n,t0,13000,\n' # what is no age there
    printf '25,t0,99999,\n25,t0,abc,\n'        # codes that are no one's
} >population.csv
printf 't0;north;*\nt1;north;*\nt2;south;*\n' >town.csv
release() { # NAME HIERARCHIES...
    name=$1
    shift
    covey anonymize people.csv --quasi age,town,zip --sensitive disease --model k-anonymity:k=6 --method mondrian -o "$name" --quiet "$@" >summary
}
figures() { # RELEASE ARGUMENTS
    covey attack "$@" --population population.csv --attack membership --attack re-identification --json | python3 -c '
import json, sys
m, r = sorted(json.load(sys.stdin)["attacks"], key=lambda a: a["name"])
for a, names in ((m, ["figure", "prior", "mean", "auc", "population", "outside"]),
                 (r, ["figure", "fewest_people", "journalist_max", "journalist_mean", "journalist_expected_matches", "population"])):
    print(a["name"], *(n + (" -" if a.get(n) is None else " %.6g" % a[n]) for n in names))'
}
release plain
release listed --hierarchy 'town={file: town.csv}' --hierarchy 'age={interval: {from: 20, to: 40, widths: [5, 10]}}' --hierarchy 'zip={mask: 5}'
release built --hierarchy 'town={balanced: 2}' --hierarchy 'age={balanced: 3}'
for release in plain listed built; do
    echo "-- $release"
    figures "$release" --original people.csv
done
echo "-- without the original nobody is known to be a member"
figures plain
echo "-- exact rows: journalists look for those who are the same"
covey anonymize people.csv --quasi age,town,zip --sensitive disease --model probabilistic-l-diversity:l=2 --method anatomy -o groups --quiet --seed 1 >summary
figures groups
echo "-- people who must be there are not"
{ head -n 1 population.csv; grep -v t2 population.csv; } >few.csv
fails 2 covey attack plain --population few.csv --attack membership
fails 2 covey attack groups --population few.csv --attack re-identification
printf 'age,town,zip\n99,nowhere,1\n' >few.csv
fails 2 covey attack plain --population few.csv --attack membership
printf 'age,town\n25,t1\n' >few.csv
fails 2 covey attack plain --population few.csv --attack membership
echo "-- a hierarchy of the original's values is known from the original alone"
fails 2 covey attack built --population population.csv --attack membership
echo "-- who has the same chances, added up in another order, is no more likely a member"
make() { # SEED ROWS
    awk -v x="$1" -v n="$2" 'BEGIN { for (i = 0; i < n; i++) { for (j = 0; j < 3; j++) { x = (x * 1103515245 + 12345) % 2147483648; r[j] = int(x / 65536) }
        print (20 + r[0] % 20) ",t" (r[1] % 5) "," (r[2] % 3) "," i % 5 } }'
}
{ echo 'age,town,zip,disease'; make 10 40; } >people.csv
{ cat people.csv; make 1010 60 | awk -F, '$1 >= 22 && $1 <= 37'; } >population.csv
printf 't0;x;*\nt1;x;*\nt2;y;*\nt3;y;*\nt4;y;*\n' >town.csv
covey anonymize people.csv --quasi age,town,zip --sensitive disease --hierarchy 'town={file: town.csv}' --model k-anonymity:k=3 --method mondrian -o ties --quiet >summary
figures ties --original people.csv | grep membership
