# How numbers and dates are written, and a policy that says so.
{
    echo 'born,started,income,when'
    for i in $(seq 30); do echo "$((i % 28 + 1)).$((i % 12 + 1)).19$((40 + i)),$((i % 12 + 1))/$((i % 28 + 1))/2019,\"$((i + 1)).000,5\",$((i % 12 + 1))/$((i % 12 + 1))/20"; done
} >people.csv
covey inspect people.csv --policy policy.yaml
grep name: policy.yaml
covey inspect people.csv --json | grep -c '"date_format": "D.M.YYYY"'
