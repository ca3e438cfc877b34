# What applies to which form, and what is said where it does not.
{
    echo 'age,town,disease'
    for i in $(seq 40); do echo "$((20 + i % 10)),t$((i % 3)),d$((i % 4))"; done
} >people.csv
release() { # NAME ARGUMENTS
    name=$1
    shift
    covey anonymize people.csv --quasi age,town --sensitive disease --seed 1 -o "$name" --quiet "$@" >summary
}
release groups --model probabilistic-l-diversity:l=4 --method anatomy
release rows --model basic-beta-likeness:beta=1 --method perturbation
release targets --model p-private:target=uniform --method distribution --hierarchy 'disease={balanced: 2}'
release slices --model sliced-l-diversity:l=2 --method slicing
for release in groups rows targets slices; do
    echo "-- $release"
    covey attack "$release" --original people.csv >out
    sed -n '3,/^$/p' out | awk 'NR > 1 && NF { print $1, $2 }'
    grep -A 2 "does not apply" out
done
echo "-- without the original a transformed release has nothing to be compared with"
covey attack targets | sed -n '3,/^$/p' | awk 'NR > 1 && NF { print $1, $2 }'
echo "-- two releases, whatever their forms"
for release in groups rows targets slices; do
    for other in groups rows targets slices; do
        echo "$release $other $(covey attack "$release" --with "$other" --original people.csv --attack composition --json | python3 -c '
import json, sys
a = json.load(sys.stdin)["attacks"][0]
print(a["compared_rows"], "rows, impossible", a["impossible_rows"], "mean", round(a["mean"], 3))')"
    done
done
echo "-- a release without a sensitive attribute: people can be found in it"
covey anonymize people.csv --quasi age,town --others drop --model k-anonymity:k=5 --method mondrian -o plain --quiet >summary
covey attack plain --original people.csv | sed -n '3,/^$/p' | awk 'NR > 1 && NF { print $1, $2 }'
covey attack plain --original people.csv --with plain --json | grep -c '"the release has no sensitive attribute"'
covey report plain --original people.csv -o plain.html --quiet && echo "a report, too"
