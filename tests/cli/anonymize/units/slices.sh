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
echo "-- two sensitive attributes, and households"
for home in 1 2 3 4 5 6 7 8; do
    for p in 1 2; do
        for row in $(seq $((2 - home / 5))); do
            echo "h$home,p$home$p,$((20 + 7 * p * home % 50)),$(echo flu cold gout acne | cut -d' ' -f$(((home + p * row) % 4 + 1))),$(echo east west north | cut -d' ' -f$(((home + row) % 3 + 1)))"
        done
    done
done | sed '1i home,patient,age,disease,ward' >homes.csv
cat >homes.yaml <<'END'
version: 1
input: {path: homes.csv}
attributes:
  - {name: patient, role: entity}
  - {name: home, role: identifier}
  - {name: age, role: quasi-identifier}
  - {name: disease, role: sensitive}
  - {name: ward, role: sensitive}
suppression: {limit: 0.8}
privacy: [{model: sliced-l-diversity, l: 3, attribute: disease}, {model: sliced-l-diversity, l: 5/4, attribute: ward}]
method: slicing
END
fails 1 covey anonymize homes.yaml -o two --suppression 0
sed -i 's/l: 3,/l: 2,/' homes.yaml
covey anonymize homes.yaml --seed 1 --quiet -o two --links two.links
cat two/units.csv
covey verify two --original homes.csv --links two.links | tail -1
covey verify two --policy homes.yaml | tail -1
sed -i 's/role: entity/role: entity, within: home/; s/, {model.*//; s/attribute: disease}/&]/; /name: ward/d; /^suppression/i others: drop' homes.yaml
covey anonymize homes.yaml --seed 1 --quiet -o homes --links homes.links
cat homes/units.csv
sed -n '/"notes"/,$p' homes/manifest.json
covey verify homes --original homes.csv --links homes.links | tail -1
covey query homes "SELECT COUNT(DISTINCT entity), COUNT(DISTINCT household) WHERE age < 40"
