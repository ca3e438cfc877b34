# Whatever is changed in a ledger or in one of its releases is found.
python3 "$ROOT/tests/cli/anonymize/m_invariance/tables.py"
m() { covey anonymize "$1" --quasi age,zip --sensitive illness --entity patient --model m-invariance:m=3 --seed 3 --quiet --ledger ledger.csv "${@:2}"; }
m wave1.csv -o one
m wave2.csv -o two --previous one
proof() { covey verify two --ledger ledger.csv --previous one --original wave2.csv "$@"; }
proof | tail -n 1

echo "-- without what it takes"
fails 2 covey verify two --original wave2.csv
fails 2 covey verify two --previous one
fails 1 covey verify two --ledger ledger.csv | grep -- '- '

# seal FILE: as whoever changes a ledger on purpose would.
cat >seal.py <<'END'
import hashlib, re, sys
text = open(sys.argv[1]).read()
blank = re.sub("(?<=,seal )[0-9a-f]{64}", "0" * 64, text, count=1)
open(sys.argv[1], "w").write(blank.replace("0" * 64, hashlib.sha256(blank.encode()).hexdigest(), 1))
END
seal() { python3 seal.py ledger.csv; }
cp ledger.csv kept.csv
python3 seal.py kept.csv && cmp kept.csv ledger.csv # the seal is what docs/design/m-invariance.md says

echo "-- a ledger that was changed"
sed -i '2s/flu/cold/' ledger.csv
fails 2 proof
cp kept.csv ledger.csv
change() { # change AWK-PROGRAM: of the lines of people
    cp kept.csv ledger.csv
    awk -F, -v OFS=, "$1" kept.csv >ledger.csv
    cmp -s kept.csv ledger.csv && echo "nothing was changed"
    seal
    fails 1 proof --quiet --json | grep -A 3 '"problems"'
}
echo "a class:"; change '/^p7,/ { $5 = $5 == 1 ? 2 : 1 } { print }'
echo "a person less:"; change '!/^p7,/'
echo "a person more:"; change '{ print; last = $0 } END { sub(/^p[0-9]*/, "zz", last); print last }'
echo "two who change places:"
cp kept.csv ledger.csv
python3 - <<'END'
import csv
lines = [line.split(",") for line in open("kept.csv")]
people = [i for i, line in enumerate(lines) if line[0].startswith("p") and line[-3] and line[-2]]
a = people[0]
b = next(i for i in people if lines[i][-4] != lines[a][-4])
lines[a][0], lines[b][0] = lines[b][0], lines[a][0]
head = [l for l in lines if not l[0].startswith("p")]
body = sorted((l for l in lines if l[0].startswith("p")), key=lambda l: l[0])
open("ledger.csv", "w").write("".join(",".join(l) for l in head + body))
END
seal
fails 1 proof --json | grep -A 3 '"problems"'
echo "another signature:"
cp kept.csv ledger.csv
python3 - <<'END'
lines = [line.split(",") for line in open("kept.csv")]
at = next(i for i, line in enumerate(lines) if line[0].startswith("p"))
lines[at][2] = "2" if lines[at][2] != "2" else "1"
open("ledger.csv", "w").write("".join(",".join(l) for l in lines))
END
seal
fails 1 proof --json | grep -A 3 '"problems"\|"message"'

echo "-- a release that was changed"
cp kept.csv ledger.csv
for file in table.csv counterfeits.csv; do
    cp -r one saved
    python3 - "one/$file" <<'END'
import sys
lines = open(sys.argv[1]).read().split("\n")
lines[1] = lines[1][:-1] + ("1" if lines[1][-1] != "1" else "0")
open(sys.argv[1], "w").write("\n".join(lines))
END
    fails 1 proof | grep -- '^  - ' | head -n 2
    rm -r one
    mv saved one
done
sed -i 's/"seeded": true/"seeded": false/' one/manifest.json
fails 1 proof | grep -- '^  - ' | head -n 3

echo "-- a file without a header: the release does not tell what the column of the persons was called"
printf '%s\n' 'version: 1' 'input: {path: bare1.csv, header: false, names: [patient, age, zip, illness]}' 'attributes:' '  - {name: patient, role: entity}' \
    '  - {name: age, role: quasi-identifier}' '  - {name: zip, role: quasi-identifier}' '  - {name: illness, role: sensitive}' 'privacy:' '  - {model: m-invariance, m: 3}' >bare1.yaml
sed 's/bare1/bare2/' bare1.yaml >bare2.yaml
sed 1d wave1.csv >bare1.csv && sed 1d wave2.csv >bare2.csv
covey anonymize bare1.yaml --seed 1 --ledger bare.ledger -o bare1 --quiet
covey anonymize bare2.yaml --seed 1 --ledger bare.ledger --previous bare1 -o bare2 --quiet
covey verify bare1 --original bare1.csv --ledger bare.ledger --previous bare2 | tail -n 2
covey verify bare2 --policy bare2.yaml --ledger bare.ledger --previous bare1 | tail -n 2
covey attack bare2 --original bare2.csv --releases-ledger bare.ledger --attack corruption --json | grep '"verdict"'
