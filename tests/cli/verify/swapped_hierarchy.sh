# Where one column's loss cannot be recomputed, because its hierarchy was built from the data, a hierarchy of another that was
# swapped is found nevertheless, and so is a loss that is better than the truth.
printf 'flu;airways;*\ncold;airways;*\ngout;joints;*\nsprain;joints;*\n' >jobs.csv
printf 'job,zip,s\nflu,4761,x\ncold,4762,y\nflu,4761,y\ncold,4763,x\ngout,5801,x\nsprain,5802,y\ngout,5802,y\nsprain,5801,x\n' >people.csv
covey anonymize people.csv --quasi job,zip --sensitive s --hierarchy job=jobs.csv --hierarchy 'zip={mask: 2}' --type zip=text \
    --model k-anonymity:k=4 --method mondrian -o release --quiet >summary
# forge FILE FROM TO: changes a file and makes its hash and size right again.
forge() {
    rm -rf forged
    cp -r release forged
    sed -i "s/$2/$3/" "forged/$1"
    python3 - <<'END'
import hashlib, json
manifest = json.load(open("forged/manifest.json"))
for file in manifest["files"]:
    text = open("forged/" + file["name"], "rb").read()
    file.update(bytes=len(text), sha256=hashlib.sha256(text).hexdigest())
json.dump(manifest, open("forged/manifest.json", "w"), indent=2)
END
    fails 1 covey verify forged
}
covey verify release
echo "-- another hierarchy"
forge hierarchies/job.csv 'gout;joints' 'gout;airways'
echo "-- a better loss"
forge manifest.json '"ail": 0\.[0-9]*,$' '"ail": 0.1,'
