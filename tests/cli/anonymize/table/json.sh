# All keys of the contract, with figures that can be checked by hand: two classes of four rows, ages 20..30 and 40..50.
printf 'age,disease\n20,flu\n20,cold\n30,flu\n30,gout\n40,cold\n40,flu\n50,gout\n50,cold\n' >people.csv
covey anonymize people.csv --quasi age --sensitive disease --model k-anonymity:k=4 --model probabilistic-l-diversity:l=3/2 \
    --method mondrian -o release --json >report.json
python3 - <<'END'
import json
report = json.load(open("report.json"))
seconds = report.pop("seconds")
assert set(seconds) == {"read", "anonymize", "write", "hash", "verify", "total"}, seconds
assert all(value >= 0 for value in seconds.values()), seconds
print(json.dumps(report, indent=2))
END
