# Column generalization: every piece of a column stands there column-k times at least, by one set of cells per attribute.
{
    echo 'age,zip,job,day,disease'
    awk 'BEGIN { x = 7; for (i = 0; i < 240; i++) { for (j = 0; j < 5; j++) { x = (x * 1103515245 + 12345) % 2147483648; r[j] = int(x / 65536) }
        print (r[0] % 9 ? 20 + r[0] % 50 : "") "," 4700 + r[1] % 30 "," substr("abcdefghijkl", 1 + r[2] % 12, 1) ",2024-0" 1 + r[3] % 3 "-1" r[3] % 7 ",d" r[4] % 5 } }'
} >people.csv
printf 'a;ac;al;*\nb;ac;al;*\nc;ac;al;*\nd;df;al;*\ne;df;al;*\nf;df;al;*\ng;gi;al;*\nh;gi;al;*\ni;gi;al;*\nj;jl;al;*\nk;jl;al;*\nl;jl;al;*\n' >job.csv
slice() {
    covey anonymize people.csv --quasi age,zip,job,day --sensitive disease --hierarchy job=job.csv --model sliced-l-diversity:l=2 --method slicing --seed 1 -o release \
        --force --quiet "$@" >summary
}
# Of each column: how often its rarest piece stands there, and which cells its first attribute has.
rarest() {
    for table in release/column-*.csv; do
        echo "$(basename $table): $(tail -n +2 $table | cut -d, -f2- | sort | uniq -c | sort -n | awk 'NR == 1 { print $1 }') times"
    done
}
slice --column-k 8 --columns '[[age, zip], [job, day], [disease]]'
rarest
tail -n +2 release/column-1.csv | cut -d, -f2- | sort | uniq -c
tail -n +2 release/column-2.csv | cut -d, -f2 | sort | uniq -c
grep -E '"(name|publish)"' release/manifest.json | sed -n '/"age"/,$p' | head -10
covey verify release
covey verify release --original people.csv | tail -n 2
echo "-- columns that overlap, random buckets"
slice --column-k 5 --columns '[[age, zip], [zip, job], [day, disease]]' --buckets random --bucket-size 12
rarest
covey verify release --original people.csv --json | grep -E '"(holds|faithful)"' | sort | uniq -c
echo "-- queries: bounds, estimate, and what is true"
ask() {
    echo "$1: $(covey query release "SELECT COUNT(*) WHERE $1" --json | tr -d ' \n') true: $(awk -F, "NR > 1 && ($2)" people.csv | wc -l)"
}
ask "age > 30 AND zip < 4710" '$1 > 30 && $2 < 4710'
ask "age IS NULL OR disease = 'd1'" '$1 == "" || $5 == "d1"'
ask "job IN ('a', 'b') AND (disease = 'd2' OR zip = 4703)" '($3 == "a" || $3 == "b") && ($5 == "d2" || $2 == 4703)'
echo "-- what it does not do"
fails 2 covey query release 'SELECT SUM(zip) FROM release WHERE age > 30'
fails 2 covey query release 'SELECT COUNT(*) FROM release GROUP BY age'
fails 1 slice --column-k 60
fails 2 slice --column-k 0
fails 2 slice --column-k many
echo "-- hierarchies that are made from the data: labels that are published, and no others"
for hierarchy in 'zip={mask: 4}' 'zip={balanced: 2}' 'day={date: [month, year]}' 'age={interval: {from: 20, to: 80, widths: [5, 10, 20]}}'; do
    slice --column-k 8 --columns '[[age, zip], [job, day], [disease]]' --hierarchy "$hierarchy"
    covey verify release --original people.csv --json | grep -E '"(holds|faithful)"' | sort | uniq -c
    cat "release/hierarchies/${hierarchy%%=*}.csv" | sort | head -3
    ask "zip < 4710 AND day < '2024-02-12'" '$2 < 4710 && $4 < "2024-02-12"'
done
echo "-- labels that are in another order than what they stand for: lines and buckets are in the labels'"
slice --column-k 20 --columns '[[zip], [age], [job, day], [disease]]' --hierarchy 'zip={cuts: [[4705, 4712, 4720], [4712]]}'
covey verify release --original people.csv --json | grep -E '"(holds|faithful)"' | sort | uniq -c
tail -n +2 release/column-1.csv | cut -d, -f2 | sort | uniq -c
echo "-- rows that may be suppressed"
for limit in 0 0.1; do
    slice --column-k 20 --columns '[[age, zip], [zip, job], [day, disease]]' --suppression $limit
    rarest
    covey verify release --original people.csv --json | grep -E '"(holds|faithful)"' | sort | uniq -c
    grep -E '^  "suppressed_rows"' release/manifest.json
done
fails 1 slice --column-k 46 --columns '[[age, zip], [job, day], [disease]]' --suppression 0.01
echo "-- files that were changed"
slice --column-k 8 --columns '[[age, zip], [job, day], [disease]]'
change() {
    rm -rf changed
    cp -r release changed
    python3 - "$1" <<'END'
import hashlib, json, sys
manifest = json.load(open("changed/manifest.json"))
exec(sys.argv[1])
for file in manifest["files"]:
    data = open("changed/" + file["name"], "rb").read()
    file.update(bytes=len(data), sha256=hashlib.sha256(data).hexdigest())
json.dump(manifest, open("changed/manifest.json", "w"))
END
}
change 'manifest["method"]["parameters"]["column-k"] = "20"'
fails 1 covey verify changed | grep -A3 Problems
change 'manifest["method"]["parameters"]["column-k"] = "some"'
fails 1 covey verify changed | grep -A1 Problems
slice --column-k 8 --columns '[[age, zip], [job, day], [disease]]' --hierarchy 'zip={mask: 4}'
change 'import re; path = "changed/column-1.csv"; text = open(path).read(); open(path, "w").write(re.sub("470[*]", "*", text, count=3))'
fails 1 covey verify changed | grep -A2 Problems
slice --column-k 8 --columns '[[age, zip], [job, day], [disease]]'
change 'path = "changed/column-1.csv"; text = open(path).read(); open(path, "w").write(text.replace("38]", "45]"))'
fails 1 covey verify changed --original people.csv | grep -A3 Problems
