# Slicing and anatomy hide a unit among those of as many rows.  One whose other rows are dropped for a missing value is not among its like.
cat >visits.csv <<'CSV'
patient,age,disease
a,20,flu
a,21,flu
b,22,cold
b,23,cold
c,24,gout
c,25,gout
c,26,
d,27,acne
d,28,acne
e,29,
CSV
make() {
    covey anonymize visits.csv --entity patient --quasi age --sensitive disease --missing-sensitive drop --seed 1 --quiet "$@"
}
fails 2 make --method slicing --model sliced-l-diversity:l=2 -o sliced
fails 2 make --method anatomy --model distinct-l-diversity:l=2 -o groups
# Classes do not promise to hide how the values of a person go together.
make --method mondrian --model distinct-l-diversity:l=2 -o classes
make --method auto --model distinct-l-diversity:l=2 -o auto
sed -n '/"method"/,/"name"/p' auto/manifest.json
echo "-- as a quasi-identifier"
sed 's/^c,26,$/c,,gout/;/^e/d' visits.csv >ages.csv
fails 2 covey anonymize ages.csv --entity patient --quasi age --sensitive disease --missing-quasi drop --method anatomy --model distinct-l-diversity:l=2 -o groups
covey anonymize ages.csv --entity patient --quasi age --sensitive disease --method anatomy --model distinct-l-diversity:l=2 --suppression 0.4 --quiet -o ages
echo "-- all rows of a unit may be dropped"
mv visits.csv with.csv
grep -v 26 with.csv >visits.csv
make --method slicing --model sliced-l-diversity:l=2 -o sliced --links sliced.links
make --method anatomy --model distinct-l-diversity:l=2 -o groups --links groups.links
for release in sliced groups; do
    covey verify $release --original visits.csv --links $release.links | tail -1
    # The release that would not be made.
    sed -i 's/"dropped_rows": 1/"dropped_rows": 2/' $release/manifest.json
    awk -F, -v OFS=, 'NR == 8 {print 7, ""} NR > 7 {$1++} {print}' $release.links >torn.links
    sed "s/\"manifest_sha256\": \"[^\"]*/\"manifest_sha256\": \"$(sha256sum <$release/manifest.json | cut -c-64)/
        s/\"input_sha256\": \"[^\"]*/\"input_sha256\": \"$(sha256sum <with.csv | cut -c-64)/" $release.links.json >torn.links.json
    fails 1 covey verify $release --original with.csv --links torn.links | grep 'some rows'
done
fails 1 covey verify groups --original with.csv --entity patient | grep 'some rows'
