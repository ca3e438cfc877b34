# What applies to which form, and what is said where it does not.
{
    echo 'age,disease'
    for i in $(seq 40); do echo "$((20 + i % 10)),d$((i % 4))"; done
} >people.csv
covey anonymize people.csv --quasi age --sensitive disease --model probabilistic-l-diversity:l=4 --method anatomy --seed 1 -o groups --quiet >summary
covey anonymize people.csv --quasi age --sensitive disease --model basic-beta-likeness:beta=1 --method perturbation --seed 1 -o rows --quiet >summary
for release in groups rows; do
    echo "-- $release"
    covey attack "$release" --original people.csv >out
    sed -n '3,/^$/p' out | awk 'NR > 1 && NF { print $1, $2 }'
    grep -A 2 "does not apply" out
done
