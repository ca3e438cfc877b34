# Tables of too many columns are refused before any work, unless what is too much is dropped; as many as there may be go through.
python3 - <<'END'
import random
draw = random.Random(1)
for n in (10000, 10001, 200000):
    with open(f"{n}.csv", "w") as f:
        f.write(",".join(f"c{i}" for i in range(n)) + "\n")
        for _ in range(12):
            f.write(",".join(str(draw.randrange(3)) for _ in range(n)) + "\n")
END
options=(--quasi c0,c1 --sensitive c2 --model k-anonymity:k=3 --method mondrian --quiet)
for n in 10001 200000; do
    fails 2 timeout 20 covey anonymize $n.csv "${options[@]}" --others insensitive -o release
    fails 2 timeout 20 covey anonymize $n.csv "${options[@]}" --others insensitive -o release --memory-limit 64M
done
fails 2 timeout 20 covey inspect 200000.csv
covey anonymize 10001.csv "${options[@]}" --others drop -o few 2>words
covey anonymize 10000.csv "${options[@]}" --others insensitive -o many 2>words
covey verify many --original 10000.csv --quiet && echo "10000 columns: verified"
ls
