# What should be a file and is a pipe that nobody feeds is refused at once; a link to a file is a file.
people='age,disease\n20,flu\n20,cold\n30,flu\n30,gout\n40,cold\n40,flu\n50,gout\n50,cold\n'
printf "$people" >people.csv
printf '20;young;*\n30;young;*\n40;old;*\n50;old;*\n' >age.csv
roles=(--quasi age --sensitive disease --model k-anonymity:k=4)
covey anonymize people.csv "${roles[@]}" --method mondrian -o release --quiet 2>words
bounded() {
    timeout 10 "$@"
}
# refuses FILE CODE COMMAND...: with a pipe in the place of the file
refuses() {
    local file=$1 code=$2
    shift 2
    mv "$file" kept
    mkfifo "$file"
    fails "$code" bounded "$@"
    rm "$file"
    mv kept "$file"
}
for file in manifest.json table.csv; do
    refuses release/$file 2 covey query release 'SELECT COUNT(*)'
done
refuses release/manifest.json 2 covey verify release
refuses release/table.csv 1 covey verify release
refuses release/manifest.json 2 covey measure release --original people.csv
refuses release/manifest.json 2 covey attack release
refuses release/manifest.json 2 covey report release -o report.html
refuses release/manifest.json 2 covey export release --to csv:exported
cat >policy.yaml <<'END'
version: 1
input: {path: people.csv}
attributes:
  - {name: age, role: quasi-identifier, hierarchy: {file: age.csv}}
  - {name: disease, role: sensitive}
privacy:
  - {model: k-anonymity, k: 4}
method: {name: mondrian}
END
refuses policy.yaml 2 covey anonymize policy.yaml -o other
refuses age.csv 2 covey anonymize policy.yaml -o other
refuses age.csv 2 covey hierarchy check age.csv
covey plan policy.yaml -o recipe --quiet
covey part recipe 1 -o part-1 --quiet
refuses recipe 2 covey part recipe 1 -o part-2
refuses recipe 2 covey merge recipe part-1 -o other
refuses part-1 2 covey merge recipe part-1 -o other
mkfifo database
fails 2 bounded covey inspect 'sqlite:database?table=people'
echo "-- links are as good as what they point to"
mv age.csv kept
ln -s kept age.csv
covey anonymize policy.yaml -o other --quiet
ln -s policy.yaml linked.yaml
covey anonymize linked.yaml -o other --force --quiet
covey verify other --quiet && echo verified
echo "-- counts that no table has"
for prior in 4294967288 4294967295 4294967296 1099511627776 9223372036854775807 -1 1e308 3.0; do
    for model in basic-beta-likeness:beta=1 enhanced-beta-likeness:beta=1 delta-disclosure:delta=2 t-closeness:t=0.5 entropy-l-diversity:l=3/2; do
        [ -e "kept-$model" ] ||
            covey anonymize people.csv --quasi age --sensitive disease --model "$model" --method mondrian -o "kept-$model" --quiet 2>words
        rm -rf forged
        cp -r "kept-$model" forged
        python3 - "$prior" <<'END'
import json, sys
manifest = json.load(open("forged/manifest.json"))
count = json.loads(sys.argv[1])
if "prior" not in manifest:
    manifest["prior"] = {"disease": {"flu": 3, "cold": 3, "gout": 2}}
manifest["prior"]["disease"]["gout"] = count
if isinstance(count, int) and 0 < count < 2**63 - 8:
    manifest["rows"] = count + 6
    manifest["suppressed_rows"] = count - 2
json.dump(manifest, open("forged/manifest.json", "w"))
END
        code=0
        bounded covey verify forged >said 2>&1 || code=$?
        [ "$code" -ge 1 ] && [ "$code" -le 2 ] || echo "$model, $prior: exit code $code: $(cat said)"
    done
done
echo "-- JSON that is deep, doubled or not a manifest"
python3 - <<'END'
import json, shutil
texts = {
    "deep": "[" * 1000000,
    "deeper": '{"a":' * 500000,
    "doubled": open("release/manifest.json").read().replace('"rows":', '"rows": 1, "rows":', 1),
    "number": "1" * 1000000,
    "nothing": "",
}
for name, text in texts.items():
    shutil.copytree("release", name)
    open(name + "/manifest.json", "w").write(text)
END
for name in deep deeper doubled number nothing; do
    fails 2 bounded covey verify "$name"
done
