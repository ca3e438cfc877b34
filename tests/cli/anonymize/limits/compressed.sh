# What is compressed, or comes from a pipe, and is larger than memory, is done part by part like any other; the recipe and a part unpack it beside them.
covey generate census --rows 400000 --seed 5 -o people.csv --quiet
gzip -1 -k people.csv
options=(--quasi age,gender,education,marital,workclass --sensitive salary --model k-anonymity:k=10 --method mondrian --memory-limit 32M --seed 1 --quiet)
covey anonymize people.csv "${options[@]}" -o plain 2>words
covey anonymize people.csv.gz "${options[@]}" -o packed 2>words
covey anonymize <(cat people.csv) "${options[@]}" -o piped 2>words
cmp plain/table.csv packed/table.csv
cmp plain/table.csv piped/table.csv
covey verify packed --quiet && echo verified
ls -A
echo "-- step by step"
rm -rf plain piped packed people.csv
covey plan people.csv.gz "${options[@]}" -o recipe 2>words
parts=$(grep -o '"parts": [0-9]*' recipe | grep -o '[0-9]*')
for part in $(seq "$parts"); do covey part recipe "$part" -o "part-$part" --seed 1 --quiet; done
covey merge recipe part-* -o merged --seed 1 --quiet && covey verify merged --quiet && echo verified
rm -rf part-*
ls -A
echo "-- what holds more than it seems"
head -c 150000000 /dev/zero | tr '\0' x | gzip >bomb.gz
(echo a,b && head -c 150000000 /dev/zero | tr '\0' x) | gzip >cell.gz
head -c 150000000 /dev/zero | tr '\0' x | zstd -q --long=31 >window.zst
/usr/bin/env python3 - <<'END'
import resource, subprocess
plan = ["--quasi", "x", "--model", "k-anonymity:k=2", "--method", "mondrian", "-o", "recipe"]
for command, data, options in [("plan", "bomb.gz", plan), ("inspect", "bomb.gz", []), ("inspect", "cell.gz", []), ("inspect", "window.zst", [])]:
    run = subprocess.run(["covey", command, data, *options, "--memory-limit", "32M"], capture_output=True, text=True)
    print(run.returncode, run.stderr, end="")
peak = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss // 1024
print("within the limit" if peak < 100 else f"took {peak} MiB")
END
covey inspect people.csv.gz --memory-limit 2G --quiet --policy policy.yaml && echo inspected
covey inspect people.csv.gz --memory-limit 31M
