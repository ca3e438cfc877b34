# Promises over persons are proven from the original and the links, which stay with the publisher; and what is forged is found.
visits_of_eight | cut -d, -f2- >visits.csv
release() {
    covey anonymize visits.csv --entity patient --quasi age --sensitive disease --method mondrian --force --quiet "$@"
}
release --model k-anonymity:k=4 --model distinct-l-diversity:l=2 -o four --links four.links
head -3 four.links
stat -c %a four.links four.links.json
ls four
covey verify four --original visits.csv --links four.links | tail -1
covey verify four --original visits.csv --links four.links --json | grep -A3 '"units": {'
problems() {
    fails 1 covey verify "$@" --json | python3 -c 'import json, sys
for p in json.load(sys.stdin)["problems"]: print("  " + p)'
}
echo "-- without the list: whole persons can make these classes in one way alone, and the policy says who they are"
covey verify four --original visits.csv | tail -1
covey verify four --original visits.csv --entity patient | tail -1
cat >policy.yaml <<'END'
version: 1
input: {path: visits.csv}
attributes:
  - {name: patient, role: entity}
  - {name: age, role: quasi-identifier}
  - {name: disease, role: sensitive}
privacy: [{model: k-anonymity, k: 4}]
END
covey verify four --policy policy.yaml --json | grep -A4 '"units": {'
echo "-- two rows that are each other's"
sed -e '2s/p1/p8/' -e '41s/p8/p1/' visits.csv >swapped.csv
problems four --original swapped.csv --entity patient
fails 2 covey verify four --original visits.csv --links four.links --entity patient
fails 2 covey verify four --original visits.csv --links absent.links
mv four.links.json kept.json
fails 2 covey verify four --original visits.csv --links four.links
mv kept.json four.links.json
echo "-- two rows in another class than they are"
cp four.links.json forged.links.json
awk -F, 'NR == 1 || $1 > 2 {print} NR > 1 && $1 <= 2 {print $1 ",2"}' four.links >forged.links
problems four --original visits.csv --links forged.links
echo "-- rows of one person in two classes, each of which shows what it should"
for p in a,20 b,20 c,34 d,34; do printf '%s,cold\n%s,gout\n%s,35,flu\n' $p $p ${p%,*}; done | sed '1i patient,age,disease' >visits.csv
release --model k-anonymity:k=2 -o two --links two.links
tr '\n' ' ' <two.links
sed -e '4s/,1/,2/' -e '10s/,2/,1/' two.links >forged.links
cp two.links.json forged.links.json
problems two --original visits.csv --links forged.links
echo "-- the numbers of units, with hashes that fit"
forge() {
    rm -rf forged
    cp -r "${2:-two}" forged
    sed -i "$1" forged/units.csv
    python3 - <<'END'
import hashlib, json
m = json.load(open("forged/manifest.json"))
for f in m["files"]:
    data = open("forged/" + f["name"], "rb").read()
    f["bytes"], f["sha256"] = len(data), hashlib.sha256(data).hexdigest()
counts = [line.split(",")[1] for line in open("forged/units.csv").readlines()[1:]]
m["entity"]["units"] = sum(int(count) for count in counts if count.isdigit())
json.dump(m, open("forged/manifest.json", "w"))
END
    problems forged
}
for line in 1,1,3 1,7,3 1,2,4 1,2,2 1,3,2 1,x,3 1,02,3; do forge "2s/.*/$line/"; done
forge '$d'
release --model distinct-l-diversity:l=2 -o without && cat without/units.csv
forge "2s/5$/4/" without
release --model k-anonymity:k=2,units=count -o loose
forge "2s/[0-9]*$/6/" loose
echo "-- what does not go together"
fails 2 covey verify two --links two.links
fails 2 release --model k-anonymity:k=2 -o two --links two/links
fails 2 release --model k-anonymity:k=2 -o two --links ./two/links
fails 2 release --model k-anonymity:k=2 -o three --links two/links
mkdir two/sub site
fails 2 release --model k-anonymity:k=2 -o three --links two/sub/links
rmdir two/sub
echo '{"name": "a web page"}' >site/manifest.json # which is not a release's
release --model k-anonymity:k=2 -o three --links site/links && ls site
release --model k-anonymity:k=2,units=count -o other
problems other --original visits.csv --links two.links
echo "-- more rows of the largest unit than it has, where they are stated"
release --model k-anonymity:k=2,units=count -o counted --links counted.links
sed -i '2s/,3$/,4/' counted/units.csv
python3 - <<'END'
import hashlib, json
was = hashlib.sha256(open("counted/manifest.json", "rb").read()).hexdigest()
m = json.load(open("counted/manifest.json"))
for f in m["files"]:
    f["sha256"] = hashlib.sha256(open("counted/" + f["name"], "rb").read()).hexdigest()
json.dump(m, open("counted/manifest.json", "w"))
links = open("counted.links.json").read()
open("counted.links.json", "w").write(links.replace(was, hashlib.sha256(open("counted/manifest.json", "rb").read()).hexdigest()))
END
covey verify counted --original visits.csv | tail -1
problems counted --original visits.csv --links counted.links
echo "-- columns that cannot name units"
fails 2 covey verify two --original visits.csv --entity nobody
fails 2 covey verify two --original visits.csv --entity age
echo "-- a file without a header: the release does not tell what a column that it drops was called"
sed 1d visits.csv >bare.csv
cat >bare.yaml <<'END'
version: 1
input: {path: bare.csv, header: false, names: [patient, age, disease]}
attributes: [{name: patient, role: entity}, {name: age, role: quasi-identifier}, {name: disease, role: sensitive}]
privacy: [{model: k-anonymity, k: 2}]
method: {name: mondrian}
END
covey anonymize bare.yaml -o bare 2>words | tail -1
covey verify bare --original bare.csv --entity 1 | tail -1
covey verify bare --policy bare.yaml --json | grep '"holds": true' | tail -1
covey attack bare --policy bare.yaml --json | grep -c '"name"'
covey anonymize bare.yaml -o bare --links bare.links --force --quiet
covey verify bare --original bare.csv --links bare.links --json | grep -A3 '"units": {'
