# Eight persons with five rows each. Classes of five rows would be one person each: over persons, k = 5 takes all eight together.
for p in 1 2 3 4 5 6 7 8; do
    for d in flu cold asthma gout ulcer; do echo "p$p,$((20 + 5 * p)),$d"; done
done | sed '1i patient,age,disease' >visits.csv
visits() {
    covey anonymize visits.csv --entity patient --quasi age --sensitive disease --method mondrian --force "$@"
}
visits --model k-anonymity:k=5 --model distinct-l-diversity:l=5 -o five | head -7
cat five/units.csv
sed -n '/"entity"/,/}/p' five/manifest.json
covey verify five
for method in peel elastic mondrian full-domain; do
    visits --model k-anonymity:k=4 --model distinct-l-diversity:l=2 --method "$method" -o four --json | python3 -c '
import json, sys
r = json.load(sys.stdin)
print(r["method"]["name"] if isinstance(r["method"], dict) else r["method"], r["classes"], r["promises"][0]["units"])'
    cat four/units.csv
done
# Somebody with more than 1/k of the rows: named without a key, with what can be kept; counted alone, or left out whole.
sed -i '2,6d' visits.csv
for i in 1 2 3 4 5 6 7 8 9; do echo "p2,30,flu" >>visits.csv; done
fails 1 visits --model k-anonymity:k=4 -o large
visits --model k-anonymity:k=4,units=count -o count | sed -n 3,4p
cat count/units.csv
visits --model k-anonymity:k=4 --suppression 0.4 -o less | sed -n 1p
cat less/units.csv
# Everybody has several values: nearness of distributions is over rows alone, and says so.
fails 2 visits --model t-closeness:t=0.5,distance=equal -o near
visits --model t-closeness:t=0.5,distance=equal,units=rows --model k-anonymity:k=3 -o near | sed -n 3,5p
# Methods and ways that do not keep units whole say so.
fails 2 visits --model basic-beta-likeness:beta=2 --method burel -o other
fails 2 visits --model k-anonymity:k=3 --method mondrian:publish-boxes=cut -o other
fails 2 visits --model k-anonymity:k=3 --memory-limit 100M -o other
fails 2 covey anonymize visits.csv --identifier patient --quasi age --sensitive disease --model k-anonymity:k=3,units=count -o other
ls
