# The table of the slicing paper: columns of attributes, buckets of rows, and nothing that tells which pieces go together.
cat >people.csv <<'END'
age,sex,zip,disease
22,M,47906,dyspepsia
22,F,47906,flu
33,F,47905,flu
52,F,47905,bronchitis
54,M,47302,flu
60,M,47302,dyspepsia
60,M,47304,dyspepsia
64,F,47304,gastritis
END
slice() {
    covey anonymize people.csv --quasi age,sex,zip --sensitive disease --type zip=text --method slicing --seed 1 -o release --force --quiet "$@" >summary
}
slice --model sliced-l-diversity:l=2 --columns '[[age, sex], [zip, disease]]'
tail -n +1 release/column-*.csv
covey verify release --original people.csv --json | grep -E '"(holds|faithful|achieved)"' | sort | uniq -c
echo "-- overlapping columns"
slice --model sliced-l-diversity:l=2 --columns '[[age, sex, zip], [zip, disease]]'
head -3 release/column-2.csv
covey verify release --original people.csv | tail -n 1
echo "-- what cannot be"
fails 1 slice --model sliced-l-diversity:l=3 --columns '[[age, sex], [zip, disease]]'
fails 1 slice --model sliced-l-diversity:l=3
fails 2 slice --model sliced-l-diversity:l=2 --columns '[[age, sex], [sex, zip], [zip, age], [disease]]'
fails 1 slice --model sliced-l-diversity:l=2 --columns '[[age, disease], [sex, zip, disease]]'
fails 2 slice --model sliced-l-diversity:l=2 --columns '[[age, sex], [disease]]'
fails 2 slice --model sliced-l-diversity:l=2 --columns '[[age, sox], [zip, disease]]'
fails 2 slice --model sliced-l-diversity:l=2 --columns '[[age, age], [sex], [zip, disease]]'
fails 2 slice --model sliced-l-diversity:l=2 --buckets random
fails 2 slice --model k-anonymity:k=2
# forge FILE FROM TO: changes a file and makes its hash and size right again.
forge() {
    rm -rf forged
    cp -r release forged
    sed -i "s/$2/$3/" "forged/$1"
    python3 - "$1" <<'END'
import hashlib, json, sys
manifest = json.load(open("forged/manifest.json"))
data = open("forged/" + sys.argv[1], "rb").read()
for file in manifest["files"]:
    if file["name"] == sys.argv[1]:
        file.update(bytes=len(data), sha256=hashlib.sha256(data).hexdigest())
json.dump(manifest, open("forged/manifest.json", "w"))
END
}
echo "-- forged: both of a bucket have the same"
forge column-2.csv '1,47906,dyspepsia' '1,47906,flu'
fails 1 covey verify forged | grep -A2 Problems
echo "-- forged: pieces not in order"
forge column-1.csv '1,22,F,47906' '1,22,Q,47906'
fails 1 covey verify forged | grep -A2 Problems
echo "-- forged: copies differ"
forge column-2.csv '1,47906,dyspepsia' '1,47905,dyspepsia'
fails 1 covey verify forged | grep -A2 Problems
echo "-- forged: another age"
forge column-1.csv '4,64,F' '4,65,F'
covey verify forged | tail -n 1
fails 1 covey verify forged --original people.csv | grep -A2 Problems
