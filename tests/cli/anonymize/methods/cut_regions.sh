# publish-boxes: cut publishes the regions that were cut: cells cover the rows but need not be attained. Only refined classes have none.
awk 'BEGIN { print "age,city,disease"; for (i = 0; i < 60; i++) print (i * 7) % 40 + 20 "," (i % 4 == 0 ? "Bern" : i % 4 == 1 ? "Genf" : i % 4 == 2 ? "Basel" : "Thun") "," (i % 3 == 0 ? "flu" : i % 3 == 1 ? "cold" : "gout") }' >people.csv
for method in mondrian elastic; do
    for boxes in tight cut; do
        covey anonymize people.csv --quasi age,city --sensitive disease --model k-anonymity:k=7 --method $method --publish-boxes $boxes \
            --weight age=2 -o $method-$boxes --quiet >summary
        covey verify $method-$boxes --original people.csv --quiet && echo "$method, $boxes: holds"
        cut -d, -f2- $method-$boxes/table.csv | sed 's/,[a-z]*$//' | sort -u
    done
done
python3 -c 'import json; print(json.load(open("elastic-cut/manifest.json"))["method"])'
echo "-- a cell that does not cover its rows"
cp -r mondrian-cut forged
sed -i 's/\[20, [0-9]*\]/[20, 21]/' forged/table.csv
python3 - <<'END'
import hashlib, json
manifest = json.load(open("forged/manifest.json"))
table = open("forged/table.csv", "rb").read()
manifest["files"][0].update(bytes=len(table), sha256=hashlib.sha256(table).hexdigest())
json.dump(manifest, open("forged/manifest.json", "w"))
END
fails 1 covey verify forged --original people.csv
echo "-- methods that cut no regions have a grid of their own"
for method in burel peel full-domain sabre; do
    model=basic-beta-likeness:beta=1
    [ $method != sabre ] || model=t-closeness:t=0.2
    for boxes in tight cut; do
        covey anonymize people.csv --quasi age,city --sensitive disease --model $model --model k-anonymity:k=7 --method $method --publish-boxes $boxes \
            --weight age=2 -o $method-$boxes --quiet
        covey verify $method-$boxes --original people.csv --quiet && echo "$method, $boxes: holds"
        cut -d, -f2- $method-$boxes/table.csv | sed 's/,[a-z]*$//' | sort -u
    done
done
echo "-- no regions"
fails 2 covey anonymize people.csv --quasi age,city --sensitive disease --model k-anonymity:k=2 --method mondrian:refine=local --publish-boxes cut -o refused --quiet
