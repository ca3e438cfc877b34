# Intervals of estimates over perturbed releases hold the truth in at least 95 of 100 cases, on real tables and over many randomizations.
acs=$(data acs2019/national2019-27253.csv.gz)
adult=$(data adult/adult-48842.csv.gz)
held() {
    table=$1
    shift
    for seed in 1 2 3 4 5 6 7 8; do
        covey anonymize "$table" "$@" --others drop --method perturbation --model basic-beta-likeness:beta=2 --seed $seed -o release --force --quiet
        covey measure release --original "$table" --queries 200 --attributes $((1 + seed % 3)) --selectivity 0.05 --seed $((seed + 50)) --json
    done | python3 -c "
import json, re, sys
shares = [json.loads(line)['workload']['within_interval'] for line in re.sub(r'}\s*{', '}\n{', sys.stdin.read().replace('\n', ' ')).split('\n') if line.strip()]
print(len(shares), 'releases', sum(shares) / len(shares) >= 0.95)"
}
held "$acs" --quasi AGEP,SEX,MSP,RAC1P --sensitive INDP_CAT --missing-sensitive value
held "$adult" --quasi age,sex,race,education --sensitive occupation
