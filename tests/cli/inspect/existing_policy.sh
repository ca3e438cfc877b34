# A policy that somebody has worked on is not replaced by accident.
printf 'age,disease\n20,flu\n30,gout\n' >people.csv
echo precious >people.yaml
fails 2 covey inspect people.csv --policy people.yaml
cat people.yaml
covey inspect people.csv --policy people.yaml --force --quiet
head -n 2 people.yaml
