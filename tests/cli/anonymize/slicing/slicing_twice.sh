# The sensitive attribute in two columns: allowed, with a warning, as long as what both tell together keeps the promise.
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
fails 1 covey anonymize people.csv --quasi age,sex,zip --sensitive disease --method slicing --model sliced-l-diversity:l=2 \
    --columns '[[age, sex, disease], [zip, disease]]' -o release
ls
{
    echo 'a,b,s'
    awk 'BEGIN { x = 7; for (i = 0; i < 240; i++) { r = ""; for (j = 0; j < 3; j++) { x = (x * 1103515245 + 12345) % 2147483648; r = r (j ? "," : "") "v" int(x / 65536) % (j < 2 ? 3 : 5); } print r } }'
} >table.csv
slice() {
    covey anonymize table.csv --quasi a,b --sensitive s --model sliced-l-diversity:l=2 --method slicing --seed 1 -o release --force "$@"
}
slice --columns '[[s, a], [b, s]]' | sed '/^Release/d'
head -3 release/column-*.csv
covey verify release --original table.csv --json | grep -E '"(holds|faithful|achieved)"'
covey query release "SELECT COUNT(*) WHERE a = 'v0' AND b = 'v1' AND s = 'v2'"
echo "-- attacks that look at one column would find too little"
covey attack release --original table.csv --attack skewness
covey attack release --original table.csv --attack membership --json | grep -E '"(candidates|fakes|exact)"'
echo "-- what would be ignored"
fails 2 slice --columns '[[a, s], [b, s]]' --anatomize --quiet
fails 2 slice --columns '[[a, s], [b, s]]' --weight paper --quiet
fails 2 slice --columns '[[a, s], [b, s]]' --column-k 2 --quiet
fails 2 slice --columns '[[a, s], [b, s], [a, b]]' --quiet
echo "-- forged: a bucket of one value"
sed -i 's/^1,v\(.\),v.$/1,v\1,v0/' release/column-1.csv release/column-2.csv
python3 - <<'END'
import hashlib, json
manifest = json.load(open("release/manifest.json"))
for file in manifest["files"]:
    data = open("release/" + file["name"], "rb").read()
    file.update(bytes=len(data), sha256=hashlib.sha256(data).hexdigest())
json.dump(manifest, open("release/manifest.json", "w"))
END
fails 1 covey verify release | grep -A4 Problems
