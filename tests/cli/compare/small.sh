# Forty people in two towns.  Every method has its turn; seconds differ, so they are not shown.
{
    echo 'age,town,disease'
    for i in $(seq 40); do echo "$((20 + i * 7 % 40)),$([ $((i % 3)) = 0 ] && echo A || echo B),$([ $((i % 2)) = 0 ] && echo flu || echo "d$((i % 5))")"; done
} >people.csv
# Three methods stand for all, so that a new one does not change this; its widest name has as much room as the columns need.
shown() { sed -E 's/of [0-9]+ methods/of N methods/; s/[0-9]+ of N/M of N/; s/[0-9]+\.[0-9]{2}  (generalized|bucketized|perturbed|sliced|transformed)/-.--  \1/; s/  +/  /g' | grep -E '^(40 rows|Not in|\* no|  (sabre|anatomy)|(\*| ) +(method|mondrian|elastic|anatomy))'; }
covey compare people.csv --quasi age,town --sensitive disease --model k-anonymity:k=4 --seed 1 2>&1 | shown
echo "-- by query error, of methods for l-diversity"
covey compare people.csv --quasi age,town --sensitive disease --model probabilistic-l-diversity:l=2 --objective query-error --seed 1 --queries 50 --no-attacks | shown
echo "-- for programs"
covey compare people.csv --quasi age,town --sensitive disease --model basic-beta-likeness:beta=1 --json --seed 1 >result
python3 - <<'END'
import json
result = json.load(open("result"))
print(result["objective"], result["rows"], result["queries"])
losses = [m["ail"] for m in result["methods"] if m["feasible"]]
print("best first:", losses == sorted(losses))
for m in sorted(result["methods"], key=lambda m: m["method"]):
    if m["method"] in ("mondrian", "anatomy", "burel", "perturbation"):
        print(m["method"], m["feasible"], (m["reason"] or "")[:60], sorted(m) if m["method"] == "mondrian" else "")
END
echo "-- the method of the policy gets its parameters, the others do not"
covey compare people.csv --quasi age,town --sensitive disease --model k-anonymity:k=4 --method mondrian --min-size 15 --json --queries 0 --no-attacks >result
python3 -c 'import json; print([(m["method"], m["smallest_class"] >= 15) for m in json.load(open("result"))["methods"] if m["method"] in ("mondrian", "elastic")])'
echo "-- the same by one thread and by four"
for n in 1 4; do
    covey compare people.csv --quasi age,town --sensitive disease --model k-anonymity:k=4 --threads $n --seed 3 --json | sed -E 's/"seconds": [0-9.e-]+//' >threads$n
done
cmp threads1 threads4 && echo same
echo "-- nobody can"
fails 1 covey compare people.csv --quasi age,town --sensitive disease --model distinct-l-diversity:l=40 | shown
fails 1 covey compare people.csv --quasi age,town --sensitive disease --model distinct-l-diversity:l=40 --json | sed -n 1,2p
echo "-- wrong"
fails 2 covey compare people.csv --quasi age,town --sensitive disease --model k-anonymity:k=4 --objective utility
fails 2 covey compare people.csv --quasi age,town --sensitive disease --model k-anonymity:k=4 --method-time 0
fails 2 covey compare people.csv --quasi age,town --sensitive disease --model k-anonymity:k=4 --objective attack --no-attacks
fails 2 covey compare people.csv --quasi age,town --sensitive disease --model k-anonymity:k=4 --objective width --queries 0
fails 2 covey compare nothing.yaml
mkdir own
TMPDIR=$PWD/own covey compare people.csv --quasi age,town --sensitive disease --model k-anonymity:k=4 --quiet >result
find own -mindepth 1
fails 2 env TMPDIR=/nowhere covey compare people.csv --quasi age,town --sensitive disease --model k-anonymity:k=4
echo "-- without a sensitive attribute queries count people by quasi-identifiers"
covey compare people.csv --quasi age,town --others drop --model k-anonymity:k=4 --seed 1 2>&1 | shown
echo "-- persons with several rows"
for p in 1 2 3 4 5 6; do for d in flu cold gout; do echo "p$p,$((30 + p)),$d"; done; done | sed '1i patient,age,disease' >visits.csv
persons() { covey compare visits.csv --entity patient --quasi age --others drop --model k-anonymity:k=2 --method-time 0.1 --queries 0 --quiet "$@" 2>&1; }
persons --sensitive disease | grep -e units -e several
persons --vary k=2,3 | grep -e units -e several
persons --json | python3 -c 'import json, sys
c = json.load(sys.stdin)
print(c["rows"], c["units"], *sorted({(m["attack"], m["worst"]) for m in c["methods"] if m["feasible"]}))'
echo "-- that releases lose no less than 0 goes without saying"
for i in 1 2 3 4 5 6 7 8; do echo "$((i % 2)),$((i % 3))"; done | sed '1i q,s' >alike.csv
covey compare alike.csv --quasi q --sensitive s --model k-anonymity:k=2 --queries 0 --no-attacks --quiet >result
grep -c mondrian result
! grep 'loses less' result
