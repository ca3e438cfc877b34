# The presets of a manifest are claims, too.
awk 'BEGIN { print "age,zip,disease"; split("20 47 66 85 89 90 93 99", a); split("03601 10001 10002 90210", z); for (i = 0; i < 320; i++) print a[i % 8 + 1] "," z[int(i / 8) % 4 + 1] "," (i % 3) }' >people.csv
echo 036 >small.txt
covey anonymize people.csv --quasi age,zip --sensitive disease --model k-anonymity:k=3 --preset hipaa-zip3:small-areas=small.txt --preset cms11 --method mondrian -o release --quiet
covey verify release --quiet
forge() {
    rm -rf forged
    cp -r release forged
    (cd forged && sed -i "$1" "${@:2}")
    fails 1 covey verify forged | sed -n '/^Problems/,/^$/p' | grep -v 'SHA-256\|after it was\|bytes\|^$' | head -3
}
forge 's/"cms11"/"cms11", "cms12"/' manifest.json
forge 's/"cms11"/"ipc-high"/' manifest.json
forge 's/"n": 90/"n": 95/' manifest.json
forge 's/"036"//' manifest.json
forge 's/,90+,/,93,/' table.csv
echo "-- labels that the forged hierarchy has, too: the cells themselves show what the preset hides"
forge 's/90+/93/' hierarchies/age.csv table.csv
forge 's/000/036/' hierarchies/zip.csv table.csv
