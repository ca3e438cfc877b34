# matrix.csv of a perturbed release: a second implementation in fractions agrees, the other files are as without it, and
# whatever is changed in it is found out.
{ echo age,disease; for i in $(seq 60); do echo "$i,flu"; [ $((i % 2)) = 0 ] && echo "$i,cold"; [ $((i % 3)) = 0 ] && echo "$i,"; echo "$i,\"a, b\""; done; } >people.csv
make() { covey anonymize people.csv --quasi age --sensitive disease --missing-sensitive value --model enhanced-beta-likeness:beta=2 --seed 1 --quiet "$@"; }
make --method perturbation -o plain
make --method perturbation:matrix=true -o release
cmp plain/table.csv release/table.csv && cmp plain/perturbation.csv release/perturbation.csv && ls release
head -2 release/matrix.csv | cut -d, -f1-3
fails 1 grep -c matrix plain/manifest.json
covey verify plain --quiet && covey verify release --original people.csv --quiet
echo "-- in parts"
make --method perturbation:matrix=true --memory-limit 32M -o parts
cmp release/matrix.csv parts/matrix.csv && covey verify parts --quiet && covey verify release --memory-limit 32M --quiet
echo "-- exported as it is"
covey export release --to csv:x --quiet
covey export plain --to csv:y --quiet
cmp x/matrix.csv y/matrix.csv && ls x | grep -c matrix
python3 - <<'END'
import csv, hashlib, json, os, shutil, subprocess
from fractions import Fraction

alpha = [Fraction(float(line["alpha"])) for line in csv.DictReader(open("release/perturbation.csv"))]
values = [line["value"] for line in csv.DictReader(open("release/perturbation.csv"))]
lines = list(csv.reader(open("release/matrix.csv")))
n = len(values)
chance = [[(1 - alpha[j]) / n + (i == j) * alpha[j] for j in range(n)] for i in range(n)]
assert all(sum(chance[i][j] for i in range(n)) == 1 for j in range(n))
pairs = [(i, j) for i in range(n) for j in range(n)]
assert [line[:2] for line in lines[1:]] == [[values[i], values[j]] for i, j in pairs]
for (i, j), line in zip(pairs, lines[1:]):
    assert abs(Fraction(float(line[2])) - chance[i][j]) <= chance[i][j] / 2**51, line
back = {pair: Fraction(float(line[3])) for pair, line in zip(pairs, lines[1:])}
for a, b in pairs:  # by row: published; inverse[published][original]
    assert abs(sum(back[p, a] * chance[p][b] for p in range(n)) - (a == b)) < Fraction(1, 10**13), (a, b)

def verify(change):
    """The exit code of verify, after a change of the lines whose hash, size and number are made right again."""
    shutil.rmtree("forged", ignore_errors=True)
    shutil.copytree("release", "forged")
    changed = [list(line) for line in lines]
    changed = change(changed) or changed
    with open("forged/matrix.csv", "w", newline="") as file:
        csv.writer(file, lineterminator="\n").writerows(changed)
    manifest = json.load(open("forged/manifest.json"))
    data = open("forged/matrix.csv", "rb").read()
    for file in manifest["files"]:
        if file["name"] == "matrix.csv":
            file.update(bytes=len(data), sha256=hashlib.sha256(data).hexdigest(), rows=len(changed) - 1)
    json.dump(manifest, open("forged/manifest.json", "w"))
    codes = {subprocess.run(["covey", "verify", "forged", "--quiet", *more], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL).returncode
             for more in ([], ["--memory-limit", "32M"])}
    assert len(codes) == 1, codes
    return codes.pop()

def put(line, column, text):
    def change(changed):
        changed[line][column] = text
    return change

assert verify(lambda changed: None) == 0
for line in range(1, n * n + 1):
    for column in (2, 3):
        number = float(lines[line][column])
        assert verify(put(line, column, repr(number * (1 + 1e-13)))) == 1, (line, column)
for column, text in ((0, "gout"), (1, "gout"), (2, ""), (3, "nan"), (2, "0.5x"), (3, "inf")):
    assert verify(put(2, column, text)) == 1, (column, text)
assert verify(put(0, 2, "chance")) == 1
assert verify(lambda changed: changed[:-1]) == 1
assert verify(lambda changed: changed + changed[-1:]) == 1
assert verify(lambda changed: changed[:1] + changed[2:3] + changed[1:2] + changed[3:]) == 1
assert verify(lambda changed: changed[:1]) == 1
os.remove("forged/matrix.csv")
print("every change is found")
END
fails 1 covey verify forged | grep matrix
echo "-- too many values for pairs"
seq 1 2002 | awk 'BEGIN { print "a,s" } { print $1 % 5 "," $1 % 1001 }' >many.csv
fails 2 covey anonymize many.csv --quasi a --sensitive s --model basic-beta-likeness:beta=1 --method perturbation:matrix=true -o many
