# No release of these eight rows with classes of four loses less than two halves of ten years each; with a form or a size
# that no bound is known for, the reason.
printf 'age,disease\n20,flu\n20,cold\n30,flu\n30,gout\n40,cold\n40,flu\n50,gout\n50,cold\n' >people.csv
run() { covey anonymize people.csv --quasi age --sensitive disease -o release -f "$@"; }
run --model k-anonymity:k=4 --method mondrian --lower-bound 5 2>/dev/null | grep -E 'loss'
run --model k-anonymity:k=4 --method mondrian --lower-bound 5 --json 2>/dev/null |
    python3 -c 'import json, sys; b = json.load(sys.stdin)["lower_bound"]; b.pop("seconds"); print(b)'
covey measure release --original people.csv --json |
    python3 -c 'import json, sys; m = json.load(sys.stdin); print(m["lower_bound"], m["ratio"])'
run --model k-anonymity:k=4 --method mondrian --json 2>/dev/null | python3 -c 'import json, sys; print("lower_bound" in json.load(sys.stdin))'
python3 -c 'import json; print(sorted(json.load(open("release/manifest.json"))["utility"]))'
run --model probabilistic-l-diversity:l=2 --method anatomy --lower-bound 5 | grep possible
run --model k-anonymity:k=1 --method mondrian --lower-bound 5 2>/dev/null | grep possible
fails 2 run --model k-anonymity:k=4 --lower-bound 0
fails 2 run --model k-anonymity:k=4 --lower-bound 5 --memory-limit 200M
