# The manifest says of a known seed, and nothing of the publisher's machine.
printf 'age,disease\n20,flu\n20,cold\n30,flu\n30,gout\n' >people.csv
anonymize() {
    covey anonymize people.csv --quasi age --sensitive disease --model k-anonymity:k=2 --method mondrian --quiet "$@" >summary
}
anonymize -o release
anonymize -o seeded --seed 3
python3 - <<'END'
import json
manifest = json.load(open("release/manifest.json"))
seeded = json.load(open("seeded/manifest.json"))
print("seeded" in manifest, seeded.get("seeded"))
print(manifest["method"], manifest["promises"])
END
! grep -r -e people.csv -e "$PWD" -e "$(id -un)" release
stat -c %A release release/table.csv
