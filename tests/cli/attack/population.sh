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
# A population, estimated from a published sampling weight: checked against a count of its own, and spoken of by measure and report.
python3 - <<'END'
import random
random.seed(2)
with open("survey.csv", "w") as out:
    print("age,region,weight,illness", file=out)
    for _ in range(80):
        print(f"{random.randrange(20, 70)},{random.choice('nsew')},{random.choice(['1', '7.5', '250', '1000.25'])},{random.choice('abcd')}", file=out)
END
cat >survey.yaml <<'END'
version: 1
input: {path: survey.csv}
attributes:
  - {name: age, role: quasi-identifier}
  - {name: region, role: quasi-identifier}
  - {name: weight, role: weight, publish: value}
  - {name: illness, role: sensitive}
privacy: [{model: k-anonymity, k: 1}]
method: mondrian
END
covey anonymize survey.yaml -o survey --quiet
covey measure survey --json >measured
covey attack survey --attack re-identification --json >told
covey attack survey --original survey.csv --weight weight --attack re-identification --json >told.original
python3 - <<'END'
import csv, collections, json, math
def risk(f, share): # the mean of 1/F, F - f being negative binomial, term by term
    if share == 1: return 1 / f
    total, p, h = 0.0, share ** f, f
    while h < 200000:
        total, p, h = total + p / h, p * (1 - share) * h / (h - f + 1), h + 1
    return total
people, rows = collections.Counter(), collections.Counter()
for row in csv.DictReader(open("survey/table.csv")):
    people[row["class"]] += float(row["weight"]); rows[row["class"]] += 1
risks = {c: risk(f, min(1, f / people[c])) for c, f in rows.items()}
own = [min(people.values()), max(risks.values()), sum(f * risks[c] for c, f in rows.items()) / sum(rows.values()), sum(people.values()), sum(min(1, 1 / people[c]) for c, f in rows.items() if f == 1)]
measured, told, original = json.load(open("measured")), json.load(open("told"))["attacks"][0], json.load(open("told.original"))["attacks"][0]
near = lambda a, b: abs(a - b) <= 1e-8 * max(1, abs(b))
print([near(measured[k], v) for k, v in zip(("fewest_people", "largest_population_risk", "mean_population_risk"), own)])
print([near(told[k], v) for k, v in zip(("fewest_people_estimated", "weighted_max", "weighted_mean", "population_estimated", "population_uniques_estimated"), own)])
print(near(original["population_estimated"], own[3]), min(rows.values()), own[4] > 0)
END
covey report survey -o survey.html --quiet
grep -c 'By the published sampling weights' survey.html
echo "-- the published weight is that of the row, where the original's rows may be in several classes"
covey anonymize survey.yaml --method peel --model k-anonymity:k=4 -o peeled --quiet 2>&1
for with in '' '--original survey.csv' '--original survey.csv --weight weight'; do
    # shellcheck disable=SC2086
    covey attack peeled $with --attack re-identification --json | grep -E '"(weighted_|fewest_|population_)' | sha256sum
done | uniq | wc -l
echo "-- what is no weight is named"
fails 2 covey attack peeled --original survey.csv --weight nothing --attack re-identification
fails 2 covey attack peeled --original survey.csv --weight region --attack re-identification
echo "-- a row that was suppressed is a member, too, whether its values are in the domain that is left or not"
printf 'age,kind,disease\n20,a,x\n20,a,y\n20,a,x\n21,b,y\n21,b,x\n21,b,y\n90,b,x\n' >seven.csv
{ cut -d, -f1,2 seven.csv; printf '20,a\n91,b\n'; } >nine.csv
covey anonymize seven.csv --quasi age,kind --sensitive disease --model k-anonymity:k=3 --method full-domain --suppression 0.2 -o six --quiet
covey attack six --original seven.csv --population nine.csv --attack membership --json | grep -e '"mean"' -e sure_share -e auc -e outside
echo "-- but a person whom the population lacks is no member of it"
printf 'age,disease\n20,x\n20,y\n22,x\n30,y\n30,x\n30,y\n' >three.csv
printf 'age\n20\n20\n21\n30\n30\n30\n30\n91\n' >others.csv
covey anonymize three.csv --quasi age --sensitive disease --model k-anonymity:k=3 --method mondrian -o halves --quiet
covey attack halves --original three.csv --population others.csv --attack membership --json | grep -e '"mean"' -e auc -e outside
