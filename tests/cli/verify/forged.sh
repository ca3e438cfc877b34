# What was changed afterwards is refused, with exit code 1; what cannot be read at all is 2.
printf 'age,disease\n20,flu\n20,cold\n30,flu\n30,gout\n40,cold\n40,flu\n50,gout\n50,cold\n' >people.csv
covey anonymize people.csv --quasi age --sensitive disease --model k-anonymity:k=4 --model basic-beta-likeness:beta=1 \
    --method mondrian -o release --quiet >summary
# forge FROM TO: changes the table and makes its hash and size right again.
forge() {
    rm -rf forged
    cp -r release forged
    sed -i "s/$1/$2/" forged/table.csv
    python3 - <<'END'
import hashlib, json
manifest = json.load(open("forged/manifest.json"))
table = open("forged/table.csv", "rb").read()
manifest["files"][0].update(bytes=len(table), sha256=hashlib.sha256(table).hexdigest())
json.dump(manifest, open("forged/manifest.json", "w"))
END
    fails 1 covey verify forged
}
cp -r release changed
sed -i 's/gout/flu /' changed/table.csv
fails 1 covey verify changed
echo "-- with its hash made right"
forge gout flu
echo "-- another range"
forge '\[20, 30\]' '[21, 30]'
echo "-- for programs"
fails 1 covey verify forged --json
echo "-- another table"
printf 'age,disease\n20,flu\n20,cold\n30,flu\n35,gout\n40,cold\n40,flu\n50,gout\n50,cold\n' >others.csv
fails 1 covey verify release --original others.csv
echo "-- no release"
fails 2 covey verify nothing
fails 2 covey verify people.csv
mkdir empty
fails 2 covey verify empty
fails 2 covey verify release --original nothing.csv
fails 2 covey verify
fails 2 covey verify release others.csv
echo "-- figures of a perturbed release"
covey anonymize people.csv --quasi age --sensitive disease --model enhanced-beta-likeness:beta=2 --method perturbation --seed 1 -o perturbed --quiet >summary
sed -i 's/"achieved": [0-9.e-]*/"achieved": 0.125/' perturbed/manifest.json
fails 1 covey verify perturbed
