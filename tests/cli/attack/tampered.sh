# Releases that were changed, and tables that do not belong to them: a refusal with exit code 2 and one line, of every form.
table() { # SHIFT
    echo 'age,town,disease'
    for i in $(seq 60); do echo "$((20 + (i + $1) * 7 % 23)),t$(((i + $1) % 3)),d$((i % 4))"; done
}
table 0 >people.csv
table 5 >others.csv   # the same values in other rows
sed '7s/d[0-9]/d9/' people.csv >strange.csv
release() { # NAME ARGUMENTS
    name=$1
    shift
    covey anonymize people.csv --quasi age,town --sensitive disease --seed 1 -o "$name" --quiet "$@" >summary
    covey anonymize others.csv --quasi age,town --sensitive disease --seed 1 -o "$name-others" --quiet "$@" >summary
}
release classes --model basic-beta-likeness:beta=2 --model k-anonymity:k=4 --method mondrian
release groups --model probabilistic-l-diversity:l=4 --method anatomy
release rows --model basic-beta-likeness:beta=1 --method perturbation
release targets --model p-private:target=uniform --method distribution --hierarchy 'disease={balanced: 2}'
release slices --model sliced-l-diversity:l=2 --method slicing
# refused WHAT COMMAND...: exit code 2, nothing on standard output, one line that begins as errors do and shows no row.
refused() {
    local what=$1 got=0
    shift
    "$@" >out 2>err || got=$?
    [ "$got" = 2 ] && [ ! -s out ] && [ "$(wc -l <err)" = 1 ] && grep -q '^covey: ' err && ! grep -qE '2[0-9],t[0-9],d[0-9]' err || {
        echo "$what: exit code $got: $(cat out err)"
        return
    }
    echo "  $what: $(cut -c 8-110 err)"
}
# hashed FOLDER: makes the manifest agree with the files again, as a forger would.
hashed() {
    python3 - "$1" <<'END'
import hashlib, json, os, sys
path = sys.argv[1] + "/manifest.json"
manifest = json.load(open(path))
for f in manifest["files"]:
    data = open(os.path.join(sys.argv[1], f["name"]), "rb").read()
    f["sha256"], f["bytes"] = hashlib.sha256(data).hexdigest(), len(data)
json.dump(manifest, open(path, "w"), indent=2)
END
}
# forged FOLDER EXPRESSION: the release with a changed manifest (m).
forged() {
    rm -rf forged && cp -r "$1" forged && python3 -c "
import json, sys
m = json.load(open('forged/manifest.json'))
$2
json.dump(m, open('forged/manifest.json', 'w'), indent=2)"
}
for name in classes:table.csv groups:sensitive.csv rows:table.csv targets:sensitive.csv slices:column-2.csv; do
    file=${name#*:} name=${name%:*}
    echo "-- $name"
    refused "another original" covey attack $name --original others.csv
    refused "an original with a value more" covey attack $name --original strange.csv
    refused "a release of another table" covey attack $name-others --original people.csv
    refused "two releases of different tables" covey attack $name --with $name-others --original people.csv
    refused "the two swapped" covey attack people.csv --original $name
    rm -rf forged && cp -r $name forged && sed -i '$d' forged/$file
    refused "a line less" covey attack forged --original people.csv
    hashed forged
    refused "the same, with hashes that fit" covey attack forged --original people.csv
    rm -rf forged && cp -r $name forged && sed -i '2s/.*/&,1/' forged/$file && hashed forged
    refused "a cell more" covey attack forged
    rm -rf forged && cp -r $name forged && rm forged/$file
    refused "a file less" covey attack forged --original people.csv
    # A perturbed release may, by chance, show every value as it is.
    rm -rf forged && cp -r $name forged && cp people.csv forged/$file && hashed forged
    [ $name = rows ] || refused "the original in its place" covey attack forged --original people.csv
    forged $name "m['form'] = 'generalized' if m['form'] != 'generalized' else 'sliced'"
    refused "another form" covey attack forged --original people.csv
    forged $name "m['published_rows'] -= 1; m['suppressed_rows'] += 1"
    refused "a row called suppressed" covey attack forged --original people.csv
    forged $name "m['columns'][0]['role'], m['columns'][2]['role'] = m['columns'][2]['role'], m['columns'][0]['role']"
    refused "roles swapped" covey attack forged --original people.csv
    forged $name "m['promises'] = [dict(m['promises'][0], model='safe-forever')]"
    refused "a promise that does not exist" covey attack forged --original people.csv
    sed -i '1,5d' forged/manifest.json
    refused "half a manifest" covey attack forged --original people.csv
done
