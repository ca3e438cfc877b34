# The input's path is relative to the policy, and a flag wins over the file.
mkdir there
printf 'age,disease\n20,flu\n20,cold\n30,flu\n30,gout\n40,cold\n40,flu\n50,gout\n50,cold\n' >there/people.csv
cat >there/policy.yaml <<'END'
version: 1
input: {path: people.csv}
attributes:
  - {name: age, role: quasi-identifier}
  - {name: disease, role: sensitive}
privacy:
  - {model: k-anonymity, k: 2}
method: {name: mondrian}
END
covey anonymize there/policy.yaml -o two --quiet --json >two.json
covey anonymize there/policy.yaml -o four --model k-anonymity:k=4 --quiet --json >four.json
# A policy is one by its content, too.
cp there/policy.yaml there/policy
covey anonymize there/policy --output=again --quiet --json >again.json
python3 - <<'END'
import json
for name in ("two", "four", "again"):
    report = json.load(open(name + ".json"))
    print(name, report["classes"], report["promises"][0]["threshold"], report["promises"][0]["achieved"])
END
