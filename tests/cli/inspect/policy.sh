# The policy that inspect writes works as it is, with the path of the table as seen from the policy's folder.
mkdir data policies
printf 'id,age,sex,disease\n' >data/people.csv
for i in $(seq 40); do echo "$i,$((20 + i / 2)),$((i % 2)),$((i % 3))"; done >>data/people.csv
covey inspect data/people.csv --policy policies/people.yaml >/dev/null
cat policies/people.yaml
covey anonymize policies/people.yaml -o release --quiet >/dev/null
covey verify release --quiet
