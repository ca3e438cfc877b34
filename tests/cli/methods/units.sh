# Which methods keep the rows of a person together is what `covey anonymize` does with a column of role entity.
{
    echo who,age,s
    for i in $(seq 1 24); do echo "p$((i % 12)),$((20 + i % 6)),$((i % 12 % 4))"; done
} >t.csv
covey methods --json | python3 -c '
import json, sys
for method in json.load(sys.stdin)["methods"]:
    print(method["name"], method["keeps_units"])' >told
cat told
while read -r method keeps; do
    [ $method != m-invariance ] || continue # which needs a ledger
    case $method in
        anatomy) model=probabilistic-l-diversity:l=2 ;;
        slicing) model=sliced-l-diversity:l=2 ;;
        burel | perturbation) model=basic-beta-likeness:beta=3 ;;
        sabre) model=t-closeness:t=0.9 ;;
        ke-permutation) model=ke-anonymity:k=2,e=1 ;;
        distribution) model=p-private:target=uniform ;;
        *) model=k-anonymity:k=2 ;;
    esac
    code=0
    covey anonymize t.csv --quasi age --sensitive s --entity who --model $model --method $method -o r --force --quiet 2>why || code=$?
    case $keeps.$code in
        True.0) ;;
        False.2) grep -q 'does not keep the rows of a unit (role entity) together' why ;;
        *) echo "$method: $keeps, but exit code $code: $(cat why)" ;;
    esac
done <told
covey methods peel anatomy | grep persons
