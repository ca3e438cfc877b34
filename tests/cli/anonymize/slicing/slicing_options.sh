# Slicing where buckets overlap: what single sets do not keep, signatures may; and what is said of odd wishes.
{
    echo 'a,b,s'
    awk 'BEGIN { x = 7; for (i = 0; i < 120; i++) { r = ""; for (j = 0; j < 3; j++) { x = (x * 1103515245 + 12345) % 2147483648; r = r (j ? "," : "") "v" int(x / 65536) % (j < 2 ? 3 : 5); } print r } }'
} >table.csv
slice() {
    covey anonymize table.csv --quasi a,b --sensitive s --model sliced-l-diversity:l=2 --method slicing --anatomize=false --seed 1 -o release --force "$@" >summary
}
# Are there buckets in which more than half of the rows have one value?
hot() {
    awk -F, 'NR > 1 { n[$1]++; c[$1 "," $NF]++ } END { for (k in c) { split(k, p, ","); if (2 * c[k] > n[p[1]]) hot++ } print (hot > 0 ? "too large shares in some" : "in none") }' "$@"
}
for options in '--cut strict' '--cut relaxed' '--cut relaxed --weight paper' '--buckets random --bucket-size 6'; do
    slice $options --columns '[[a], [b], [s]]' --quiet
    echo "$options: $(tail -n 1 release/column-1.csv | cut -d, -f1) buckets, $(hot release/column-3.csv)"
    covey verify release --original table.csv --json | grep -E '"(holds|faithful|achieved)"' | sort -u
done
echo "-- nothing makes up for a bucket with one value"
slice --cut relaxed --columns '[[a], [b], [s]]' --quiet
sed -i 's/^1,v.$/1,v0/' release/column-3.csv
python3 - <<'END'
import hashlib, json
manifest = json.load(open("release/manifest.json"))
data = open("release/column-3.csv", "rb").read()
for file in manifest["files"]:
    if file["name"] == "column-3.csv":
        file.update(bytes=len(data), sha256=hashlib.sha256(data).hexdigest())
json.dump(manifest, open("release/manifest.json", "w"))
END
fails 1 covey verify release | grep -A3 Problems
echo "-- columns"
slice --columns '[[a], [a, b], [s]]'
slice --columns '[[a, b], [b, a], [s]]'
fails 2 slice --weight heavy --quiet
echo "-- pieces are mixed only where copies agree"
slice --columns '[[a, b], [b, s]]' --quiet
grep -A1 '"notes"' release/manifest.json
echo "-- the largest l is exact"
fails 1 covey anonymize table.csv --quasi a,b --sensitive s --model sliced-l-diversity:l=40 --method slicing --columns '[[a, b], [s]]' -o none
echo "-- numbers with a text among them"
sed 's/^v0,/x,/; s/^v\([12]\),v\(.\)/\1\2,v\2/' table.csv >mixed.csv
covey anonymize mixed.csv --quasi a,b --sensitive s --model sliced-l-diversity:l=2 --method slicing -o mixed >summary
