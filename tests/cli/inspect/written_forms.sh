# How numbers and dates are written, and a policy that says so.
{
    echo 'born,started,income,when'
    for i in $(seq 30); do echo "$((i % 28 + 1)).$((i % 12 + 1)).19$((40 + i)),$((i % 12 + 1))/$((i % 28 + 1))/2019,\"$((i + 1)).000,5\",$((i % 12 + 1))/$((i % 12 + 1))/20"; done
} >people.csv
covey inspect people.csv --policy policy.yaml
grep name: policy.yaml
covey inspect people.csv --json | grep -c '"date_format": "D.M.YYYY"'
echo "-- commas between thousands, or before decimal places"
for i in $(seq 30); do echo "$i,\"$i,000\",\"$i,000,000\",$i 000"; done | sed '1i age,paid,earned,cost' >people.csv
covey inspect people.csv --policy policy.yaml --force | grep ^Column
grep -A 1 numbers policy.yaml
fails 2 covey anonymize people.csv --quasi age --sensitive paid --model k-anonymity:k=2 --others drop -o release
fails 2 covey anonymize people.csv --quasi age --sensitive earned --model k-anonymity:k=2 --others drop -o release
