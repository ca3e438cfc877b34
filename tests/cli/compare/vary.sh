# Two hundred people: what thresholds and sets of quasi-identifiers cost.
{
    echo 'age,town,sex,disease'
    for i in $(seq 200); do echo "$((20 + i * 7 % 40)),$([ $((i % 3)) = 0 ] && echo A || echo B),$([ $((i % 7)) -gt 2 ] && echo m || echo f),$([ $((i % 2)) = 0 ] && echo flu || echo "d$((i % 5))")"; done
} >people.csv
compare() { covey compare people.csv --quasi age,town,sex --sensitive disease --model k-anonymity:k=4 --model distinct-l-diversity:l=2 --seed 1 --queries 20 --quiet "$@"; }
shown() { sed -E 's/of [0-9]+$/of N/' | grep -vE '^(full|optimal|elastic|peel)'; }
compare --vary k=3,8,80,300 --plot loss.svg | shown
grep -c '<path d="M' loss.svg >/dev/null && grep -o '<title>.*</title>' loss.svg
grep -o '>[0-9]*</text>' loss.svg | sort -u | grep -cE '>(3|8|80|300)<'
echo "-- several things at once, for programs"
compare --vary k-anonymity.k=4,8 --vary 'quasi=age+town+sex,[town, sex]' --vary suppression=0,5% --no-attacks --json >result
python3 - <<'END'
import json
result = json.load(open("result"))
print(result["vary"])
for one in result["combinations"]:
    best = one["methods"][0]
    print(one["vary"], best["feasible"], "loss 0" if best["ail"] == 0 else "loss")
END
echo "-- the sets of a policy file; what is left out is dropped, or as others are"
cat >policy.yaml <<'END'
version: 1
input: {path: people.csv}
attributes:
  - {name: age, role: quasi-identifier, hierarchy: {interval: {from: 0, to: 100, widths: [10, 20]}}}
  - {name: town, role: quasi-identifier, order: [A, B]}
  - {name: sex, role: quasi-identifier}
  - {name: disease, role: sensitive}
privacy:
  - {model: k-anonymity, k: 4}
END
covey compare policy.yaml --vary quasi=age+town,sex --quiet --no-attacks --queries 0 | shown | sed -n 3,5p
covey compare policy.yaml --vary quasi=age+town,sex --others insensitive --quiet --queries 0 | shown | sed -n '3,5p'
echo "-- wrong"
for vary in k k= =3 x=3 kk=3 l=3,3 k=0 k=ten quasi=aeg quasi=disease quasi= k-anonymity.l=2 t-closeness.t=0.1 foo.t=1 t=0.1 suppression=2 k=3,,5 "k=$(seq -s, 2 200)" $'k=\xff'; do
    fails 2 compare --vary "$vary" 2>&1 | head -c 250
done
fails 2 compare --vary k=3 --vary k=5
fails 2 compare --vary l=2 --vary k=$(seq -s, 4 24) --plot many.svg
fails 2 compare --plot alone.svg
fails 2 compare --vary k=3 --plot nowhere/loss.svg
fails 2 compare --vary k=3 --plot loss.svg
fails 2 compare --vary k=3 --plot people.csv --force
echo 'a letter' >letter.svg
fails 2 compare --vary k=3 --plot letter.svg --force
compare --vary k=3 --plot loss.svg --force | sed -n 1p
echo "-- nobody can"
fails 1 compare --vary k=500,900 | shown | sed -n '1,6p'
ls
