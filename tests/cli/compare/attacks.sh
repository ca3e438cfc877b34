# What attacks find tells methods apart where the worst person's value is certain under each of them.
table=$(data acs2019/national2019-27253.csv.gz)
covey compare "$table" --quasi AGEP,SEX,MSP,RAC1P --sensitive INDP_CAT --others drop --model k-anonymity:k=10 --null N, \
    --missing-sensitive value --queries 0 --method-time 0.3 --quiet --json >result
python3 - <<'END'
import json
made = [m for m in json.load(open("result"))["methods"] if m["feasible"]]
print(len({m["worst"] for m in made}), "worst")
print(len({round(m["attack"], 3) for m in made}) >= 3, all(m["attack"] >= m["guess"] > 0.4 for m in made))
least = {m["method"]: m for m in made}
print(least["full-domain"]["attack"] < least["elastic"]["attack"] - 0.01, least["full-domain"]["ail"] > least["elastic"]["ail"])
END
