# slicing puts persons of as many rows each into a bucket; kinds of which no bucket can be made are suppressed, or named.
for p in 1 2 3 4 5 6 7 8 9 10; do
    d=$(echo flu cold gout | cut -d' ' -f$((p % 3 + 1)))
    for row in $(seq $(((p + 2) / 3))); do echo "h$((p / 2)),p$p,$((20 + 3 * p + row)),$((p % 2 * 1000 + 1000)),$d"; done
done | sed '1i home,patient,age,zip,disease' >visits.csv
slices() {
    covey anonymize visits.csv --others drop --entity patient --quasi age --quasi zip --sensitive disease --method "${method-slicing}" --seed 1 --quiet --force "$@"
}
fails 1 slices --model sliced-l-diversity:l=3 -o three
slices --model sliced-l-diversity:l=3 --suppression 0.2 -o three --links three.links
cat three/units.csv three/column-2.csv
sed -n '/"entity"/,/}/p;/"unit_values"/p;/"note"/p' three/manifest.json
tr '\n' ' ' <three.links
echo
covey verify three | tail -1
covey verify three --original visits.csv --links three.links | tail -1
fails 2 covey verify three --original visits.csv --entity patient
covey query three "SELECT COUNT(*), COUNT(DISTINCT entity) WHERE age < 40"
covey query three "SELECT COUNT(DISTINCT entity) WHERE age < 40 AND disease = 'flu'"
covey query three "SELECT COUNT(DISTINCT entity) WHERE age < 40 OR disease = 'flu' AND zip = 1000"
covey query three "SELECT COUNT(DISTINCT entity) WHERE age < 40 OR disease = 'flu'" --sql
covey measure three --original visits.csv | grep -E 'units|unit_risk'
echo "-- somebody takes a person out of a bucket"
sed -i 's/^1,3,/1,2,/' three/units.csv
fails 1 covey verify three
echo "-- persons with several values"
sed -i '$s/,[a-z]*$/,acne/' visits.csv
fails 1 slices --model sliced-l-diversity:l=3 -o several
slices --model sliced-l-diversity:l=3/2 --suppression 0.6 -o several --links several.links
cat several/units.csv
sed -n '/"unit_values"/p' several/manifest.json
covey verify several --original visits.csv --links several.links | tail -1
echo "-- what is for rows alone"
fails 2 slices --model sliced-l-diversity:l=2,units=rows -o other
for method in '{name: slicing, cut: relaxed}' '{name: slicing, buckets: random, bucket-size: 4}' '{name: slicing, column-k: 2}' \
    '{name: slicing, weight: paper}' '{name: slicing, columns: [[age, disease], [zip, disease]]}'; do
    fails 2 slices --model sliced-l-diversity:l=2 -o other
done
unset method
fails 2 slices --sensitive home --model sliced-l-diversity:l=2,attribute=disease --model sliced-l-diversity:l=2,attribute=home -o other
cat >homes.yaml <<'END'
version: 1
input: {path: visits.csv}
attributes:
  - {name: patient, role: entity, within: home}
  - {name: age, role: quasi-identifier}
  - {name: disease, role: sensitive}
others: drop
privacy: [{model: sliced-l-diversity, l: 2}]
method: slicing
END
fails 2 covey anonymize homes.yaml -o homes
