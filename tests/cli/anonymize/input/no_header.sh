# A table without a header: columns are called as the policy says, or by their numbers; the release knows for its comparison.
for i in $(seq 12); do echo "$((20 + i)),$((i % 2)),p$i"; done >people.csv
covey() { command covey "$@" 2>&1; }
covey anonymize people.csv --header false --names age,sex,id --quasi age,sex --identifier id --model k-anonymity:k=3 -o named --quiet
head -1 named/table.csv
grep -A 4 '"names"' named/manifest.json
covey verify named --original people.csv --quiet && echo holds
covey anonymize people.csv --header=false --quasi 1,2 --others drop --model k-anonymity:k=3 -o numbered --quiet
head -1 numbered/table.csv
covey verify numbered --original people.csv --quiet && echo holds
fails 2 covey anonymize people.csv --header false --names age,sex --quasi age --others drop --model k-anonymity:k=3 -o never
fails 2 covey anonymize people.csv --names age,sex,id --quasi age --others drop --model k-anonymity:k=3 -o never
fails 2 covey anonymize people.csv --header false --names age,age,id --quasi age --others drop --model k-anonymity:k=3 -o never
covey inspect people.csv --header false --names age,sex,id --policy policy.yaml --quiet
grep -A 3 '^input' policy.yaml
fails 2 covey inspect people.csv --names age,sex,id
