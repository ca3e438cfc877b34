# Groups of persons with two rows and one value each: who knows a person's value knows two rows.
{
    echo p,a,s
    for i in $(seq 12); do for _ in 1 2; do echo "p$i,$((20 + i)),$([ $((i % 4)) = 0 ] && echo flu || echo "d$((i % 4))")"; done; done
} >people.csv
covey anonymize people.csv --entity p --quasi a --sensitive s --model probabilistic-l-diversity:l=4 --method anatomy --seed 1 --quiet -o release
covey attack release --attack corruption --json | python3 -c '
import json, sys
a = json.load(sys.stdin)["attacks"][0]
print(a["figure"], a["person_max"], "Rows were counted" in str(a))
print([(k, round(m, 3)) for k, _, m, *_ in ((r["known"], 0, r["max"]) for r in a["known_persons"])])'
