# A policy that somebody has worked on is not replaced by accident.
printf 'age,disease\n20,flu\n30,gout\n' >people.csv
echo precious >people.yaml
fails 2 covey inspect people.csv --policy people.yaml
fails 2 covey inspect people.csv --policy people.yaml --force
cat people.yaml
rm people.yaml
covey inspect people.csv --policy people.yaml --quiet
sed -i 's/k: 5/k: 2/' people.yaml
fails 2 covey inspect people.csv --policy people.yaml
covey inspect people.csv --policy people.yaml --force --quiet
head -n 2 people.yaml
