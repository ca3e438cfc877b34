# Losses count the leaves that published rows have. Where rows are suppressed the original does not tell which these are.
{
    echo zip,ill
    for zip in 11 11 12 12 20 20 21 21 21 30; do echo "$zip,flu"; done
} >people.csv
covey anonymize people.csv --quasi zip --sensitive ill --hierarchy 'zip={mask: 1}' --model k-anonymity:k=4 --method full-domain \
    --suppression 0.1 --quiet -o release
python3 -c 'import json; print(json.load(open("release/manifest.json"))["utility"]["ail"])'
for original in "" "--original people.csv"; do
    # shellcheck disable=SC2086
    covey verify release $original --json | python3 -c 'import json, sys; print(json.load(sys.stdin)["utility"]["ail"])'
done
