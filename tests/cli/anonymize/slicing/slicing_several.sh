# Several sensitive attributes: each has a promise, and nobody's value of any follows from the quasi-identifiers.
cat >people.csv <<'END'
age,sex,disease,zip,drug
22,M,dyspepsia,47906,a
22,F,flu,47906,b
33,F,flu,47905,b
52,F,bronchitis,47905,c
54,M,flu,47302,b
60,M,dyspepsia,47302,a
60,M,dyspepsia,47304,a
64,F,gastritis,47304,d
END
slice() {
    covey anonymize people.csv --quasi age,sex,zip --sensitive disease,drug --method slicing -o release --force "$@"
}
both="--model sliced-l-diversity:attribute=disease,l=2 --model sliced-l-diversity:attribute=drug,l=2"
# shellcheck disable=SC2086
slice $both | sed '/^Release/d'
# How they go together stays, where they stand in one column.
slice $both --columns '[[age, sex], [drug, zip, disease]]' --quiet
cat release/column-2.csv
covey verify release --original people.csv | tail -2
covey query release "SELECT COUNT(*) WHERE disease = 'flu' AND drug = 'b' AND age < 40"
covey attack release --original people.csv --attack homogeneity --json | grep -E '"(attribute|figure|verdict)"'
echo "-- groups inside closed buckets, where they are asked for"
for i in $(seq 40); do echo "$((i % 2)),$((i * 7 % 4)),$((i * 3 % 8)),0"; done | (echo a,s,t,b && cat) >even.csv
for how in false true; do
    covey anonymize even.csv --quasi a,b --sensitive s,t --method slicing --anatomize=$how -o even --force --seed 1 --quiet --json \
        --model sliced-l-diversity:attribute=s,l=2 --model sliced-l-diversity:attribute=t,l=2 | grep '"classes"'
    covey verify even --original even.csv --quiet && echo holds
done
echo "-- found columns that overlap"
for i in $(seq 40); do echo "$((i % 3)),$((i % 3 + i % 7 / 6)),$((i % 3 * 2 + i % 5 / 4)),$((i * 3 % 8)),$((i % 4))"; done | (echo a,b,c,s,t && cat) >near.csv
covey anonymize near.csv --quasi a,b,c --sensitive s,t --method slicing --overlap 0.1 --number-of-columns 4 -o near --seed 1 --quiet \
    --model sliced-l-diversity:attribute=s,l=2 --model sliced-l-diversity:attribute=t,l=2
head -qn 1 near/column-*.csv
covey verify near --original near.csv --quiet && echo holds
echo "-- one of the promises cannot be kept: the message is about that one"
fails 1 slice --model sliced-l-diversity:attribute=disease,l=2 --model sliced-l-diversity:attribute=drug,l=3 --quiet
fails 1 slice $both --columns '[[age, disease], [sex, zip, drug]]' --quiet
echo "-- rows that stand in the way of either go"
slice $both --columns '[[age, zip], [sex, drug], [disease]]' --suppression 0.5 --json | grep -E '"(suppressed_rows|achieved)"'
covey verify release --original people.csv --quiet && echo holds
echo "-- none: it would promise nothing; all but one, each in a column of its own: none follows from all others"
fails 2 covey anonymize people.csv --quasi age,sex,disease,zip,drug --method slicing --model sliced-l-diversity:l=2 -o none
# shellcheck disable=SC2046
covey anonymize people.csv --quasi age --sensitive sex,disease,zip,drug --method slicing --quiet -o release --force $(
    for name in sex disease zip drug; do echo "--model sliced-l-diversity:attribute=$name,l=2"; done
)
ls release
covey verify release --original people.csv --json | grep -c '"achieved": "[2-9]'
echo "-- what is not built for several"
fails 2 slice $both --weight paper --quiet
fails 2 slice $both --column-k 2 --quiet
fails 2 slice $both --number-of-columns 2 --quiet
fails 2 slice $both --columns '[[age, sex, drug], [zip, drug, disease]]' --quiet
fails 2 slice --model sliced-l-diversity:attribute=disease,l=2 --quiet
fails 2 slice $both --model sliced-l-diversity:attribute=drug,l=3 --quiet
fails 2 slice --model '{model: sliced-l-diversity, l: 2, joint: true}' --quiet
echo "-- forged: a bucket of one drug"
slice $both --quiet
sed -i 's/^1,.$/1,a/' release/column-3.csv
python3 - <<'END'
import hashlib, json
manifest = json.load(open("release/manifest.json"))
for file in manifest["files"]:
    content = open("release/" + file["name"], "rb").read()
    file["sha256"], file["bytes"] = hashlib.sha256(content).hexdigest(), len(content)
json.dump(manifest, open("release/manifest.json", "w"))
END
fails 1 covey verify release
