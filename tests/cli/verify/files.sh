# A table in several files is taken like one, by every command; what was changed between the files is found.
covey generate census --rows 2000 --seed 5 -o people.csv --quiet
release() {
    covey anonymize people.csv --quasi age,education,gender --sensitive salary --others drop --seed 1 --quiet --force "$@"
}
# as_one FOLDER: is what the files of each table hold that of the one file?
as_one() {
    for table in one/*.csv; do
        name=$(basename "$table" .csv)
        [ -e "$1/$name.csv" ] && continue
        { cat "$1/$name-00001.csv" && tail -q -n +2 $(ls "$1/$name"-[0-9]*.csv | tail -n +2); } | cmp - "$table"
    done
}
# same COMMAND [ARGUMENT...]: the same answer for both, RELEASE standing for the folder.
same() {
    "${@//RELEASE/one}" >one.out
    "${@//RELEASE/many}" >many.out
    diff one.out many.out >/dev/null || { echo "differs: $*"; diff one.out many.out | head -4; }
}
for method in elastic 'anatomy probabilistic-l-diversity:l=3' 'perturbation basic-beta-likeness:beta=4' \
    'slicing sliced-l-diversity:l=3' 'distribution p-private'; do
    # shellcheck disable=SC2086
    set -- $method
    echo "-- $1"
    rm -rf one many
    release --method "$1" --model "${2:-k-anonymity:k=5}" -o one
    release --method "$1" --model "${2:-k-anonymity:k=5}" --files 3 -o many
    (cd many && ls -- *.csv)
    as_one many
    same covey verify RELEASE --json
    same covey verify RELEASE --json --original people.csv
    same covey verify RELEASE --json --memory-limit 32M
    same covey query RELEASE 'SELECT COUNT(*) WHERE age < 40 AND salary < 20' --json
    same covey measure RELEASE --original people.csv --json
    covey attack one --original people.csv --json >one.out && covey attack many --original people.csv --json >many.out
    cmp one.out many.out
    covey export one --to csv:one.csv --quiet --force --seed 1
    covey export many --to csv:many.csv --quiet --force --seed 1
    diff -rq one.csv many.csv | grep -v manifest || true
done
release --method elastic --model k-anonymity:k=5 --files 3 -o whole
covey report whole -o report.html --quiet
echo "-- the report names $(grep -o 'table-0000[0-9].csv' report.html | sort -u | wc -l) files"
grep -c '"classes"' whole/manifest.json
# forge: makes sizes, hashes, rows and classes of all files right again.
forge() {
    python3 - <<'END'
import hashlib, json
manifest = json.load(open("many/manifest.json"))
for file in manifest["files"]:
    table = open("many/" + file["name"], "rb").read()
    numbers = [line.split(b",")[0] for line in table.splitlines()[1:]]
    file.update(bytes=len(table), sha256=hashlib.sha256(table).hexdigest(), rows=len(numbers))
    if file["classes"]:
        file["classes"] = len(set(numbers))
json.dump(manifest, open("many/manifest.json", "w"))
END
}
changed() {
    echo "-- $1"
    rm -rf many
    cp -r whole many
}
verify() {
    fails 1 covey verify many
    fails 1 covey verify many --memory-limit 32M >/dev/null
    fails 2 covey query many 'SELECT COUNT(*)' 2>/dev/null
}
changed "a file is missing"
rm many/table-00002.csv
verify
changed "two files in the other order"
mv many/table-00002.csv x && mv many/table-00003.csv many/table-00002.csv && mv x many/table-00003.csv
forge
verify
changed "a file twice"
cp many/table-00002.csv many/table-00003.csv
forge
verify
changed "a file too many"
cp many/table-00003.csv many/table-00004.csv
verify
changed "rows of a class in two files"
{ head -1 many/table-00002.csv && tail -1 many/table-00001.csv && tail -n +2 many/table-00002.csv; } >x
sed -i '$d' many/table-00001.csv
mv x many/table-00002.csv
forge
verify
changed "another header"
sed -i '1s/age/AGE/' many/table-00002.csv
forge
verify
changed "the end of a file is gone"
truncate -s -5 many/table-00002.csv
forge
verify
changed "rows and classes in the manifest"
sed -i '0,/"classes": [0-9]*,$/{//!b};s/"rows": 6[0-9]*,/"rows": 1,/' many/manifest.json
verify
changed "files listed in another order"
python3 -c '
import json
manifest = json.load(open("many/manifest.json"))
manifest["files"][0], manifest["files"][1] = manifest["files"][1], manifest["files"][0]
json.dump(manifest, open("many/manifest.json", "w"))'
fails 2 covey verify many
echo "-- as many files as that"
fails 2 release --method elastic --model k-anonymity:k=5 --files 10001 -o no
release --method elastic --model k-anonymity:k=1000 --files 50 -o few
ls few
