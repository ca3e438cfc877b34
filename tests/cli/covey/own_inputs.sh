# No command writes over what it reads, by whatever name, nor into a release: --force is for what an earlier run wrote.
printf 'age,disease\n20,flu\n21,gout\n30,flu\n31,gout\n' >people.csv
cat >policy.yaml <<'END'
version: 1
input: {path: people.csv}
attributes: [{name: age, role: quasi-identifier}, {name: disease, role: sensitive}]
privacy: [{model: distinct-l-diversity, l: 2}]
method: {name: elastic}
END
ln -s people.csv also.csv
ln people.csv same.csv
cp people.csv people.before
cp policy.yaml policy.before
fails 2 covey inspect people.csv --policy same.csv --force
fails 2 covey hierarchy build people.csv age '{balanced: 2}' -o people.csv --force
fails 2 covey plan policy.yaml -o also.csv --force
fails 2 covey plan policy.yaml -o policy.yaml --force
covey plan policy.yaml -o recipe --quiet
fails 2 covey part recipe 1 -o recipe --force
fails 2 covey part recipe 1 people.csv -o people.csv --force
fails 2 covey anonymize policy.yaml -o release --trace ./people.csv --force
fails 2 covey anonymize policy.yaml -o release --trace policy.yaml --force
ls -d release 2>/dev/null || echo "nothing is left"
covey anonymize policy.yaml -o release --trace steps --quiet
fails 2 covey anonymize policy.yaml -o other --trace steps --quiet
head -n 1 steps
echo "precious" >steps
fails 2 covey anonymize policy.yaml -o other --trace steps --quiet
fails 2 covey anonymize policy.yaml -o other --trace steps --quiet --force
cat steps
rm steps steps.svg
covey anonymize policy.yaml -o release --trace steps --quiet --force
head -n 1 steps
fails 2 covey report release --original people.csv -o same.csv --force
fails 2 covey report release -o release/report.html
fails 2 covey report release -o release/manifest.json --force
# Nor does any command that writes a file or a folder.
fails 2 covey anonymize policy.yaml -o release/other
fails 2 covey anonymize policy.yaml -o release/other --memory-limit 200M
fails 2 covey anonymize policy.yaml -o other --trace release/steps
fails 2 covey export release --to csv:release/export
fails 2 covey export release --to sqlite:release/release.db
fails 2 covey generate census --rows 10 --seed 1 -o release/census.csv
fails 2 covey inspect people.csv --policy release/policy.yaml
fails 2 covey compare policy.yaml --vary l=2,3 --plot release/plot.svg
fails 2 covey hierarchy build people.csv age '{balanced: 2}' -o release/age.csv
fails 2 covey plan policy.yaml -o release/recipe
mkdir inner && ln -s ../release inner/link
fails 2 covey inspect people.csv --policy inner/link/policy.yaml
(cd release && fails 2 covey inspect ../people.csv --policy policy.yaml)
ls -A release
cmp people.csv people.before
cmp policy.yaml policy.before
covey verify release --original people.csv --quiet
