# What an observer of several releases of a table that changes gains, by the publisher's ledger.
python3 "$ROOT/tests/cli/anonymize/m_invariance/tables.py"
m() { covey anonymize "$1" --quasi age,zip --sensitive illness --entity patient --model m-invariance:m=3 --seed 3 --quiet --ledger ledger.csv "${@:2}"; }
m wave1.csv -o one
m wave2.csv -o two --previous one
m wave3.csv -o three --previous one --previous two
together() { covey attack "$1" --with "$2" --releases-ledger "${3-ledger.csv}" --attack composition "${@:4}"; }
covey measure three --json | grep counterfeits || true
for pair in "one two" "three one" "two three"; do
    together $pair ledger.csv --json | grep -E '"(figure_exact|bound|verdict|over|compared_persons|counted_persons|fewest_values_in_common|single_share)"'
done

echo "-- a k-anonymous release of the same people gives them away"
k() { covey anonymize "$1" --quasi age,zip --sensitive illness --entity patient --model k-anonymity:k=4 --seed 3 --quiet "${@:2}"; }
k wave2.csv -o k --links k.links
together one k ledger.csv --with-links k.links --with-original wave2.csv

echo "-- all three together: of those who are in the first and in another one"
together one two ledger.csv --with three
together three one ledger.csv --with two --json | grep -E '"(figure_exact|verdict|compared_persons|counted_persons|fewest_values_in_common|single_share|releases|impossible_persons)"'
fails 2 together one two ledger.csv --with k --with-links k.links --with-original wave2.csv
fails 2 covey attack one --original wave1.csv --with two --with three --attack composition

echo "-- one release with made-up rows, compared with its table by the ledger"
by_ledger() { covey attack two --original wave2.csv --releases-ledger ledger.csv "$@"; }
by_ledger
by_ledger --attack corruption | tail -n 8
by_ledger --attack re-identification --entity zip --json | grep entity_max
cat wave2.csv wave2.csv | grep -v patient | sed '1i patient,age,zip,illness' >city.csv
by_ledger --attack membership --population city.csv --json | grep -E '"(figure|population)"'
covey report two --original wave2.csv --releases-ledger ledger.csv --format json | grep -E '"(holds|faithful)"' | head -n 2
fails 2 covey attack two --original wave2.csv
fails 2 covey report two --original wave2.csv
fails 2 covey report two --releases-ledger ledger.csv
cat >policy.yaml <<'END'
version: 1
input: {path: wave2.csv}
attributes: [{name: patient, role: entity}, {name: age, role: quasi-identifier}, {name: zip, role: quasi-identifier}, {name: illness, role: sensitive}]
privacy: [{model: m-invariance, m: 3}]
END
covey report two --policy policy.yaml --releases-ledger ledger.csv --json | grep '"persons"'
covey report one --original wave1.csv --entity patient --json | grep '"persons"'
covey report one --original wave1.csv --entity patient --format md | grep 'names persons'
fails 2 covey report two --original wave2.csv --entity patient --releases-ledger ledger.csv
fails 2 covey attack two --original wave1.csv --releases-ledger ledger.csv
sed '2s/flu/cold/;2!b' wave2.csv >other.csv
cmp -s wave2.csv other.csv && sed '2s/,[a-z]*$/,unheard-of/' wave2.csv >other.csv
fails 2 covey attack two --original other.csv --releases-ledger ledger.csv

echo "-- a release of another ledger is not known"
fails 2 covey attack two --original wave2.csv --releases-ledger absent.csv
covey anonymize wave2.csv --quasi age,zip --sensitive illness --entity patient --model m-invariance:m=3 --seed 5 --quiet --ledger new.csv -o anew
fails 2 together one anew
fails 2 covey attack anew --original wave2.csv --releases-ledger ledger.csv
fails 2 together one anew new.csv

echo "-- what is missing"
fails 2 covey attack one --releases-ledger ledger.csv
fails 2 covey attack one --with two --attack composition
fails 2 together one k
fails 2 together k one
fails 2 together one k ledger.csv --with-links k.links
fails 2 together one k ledger.csv --with-links k.links --with-original wave1.csv
fails 2 together one two absent.csv
fails 2 together one two wave1.csv

echo "-- what was changed"
cp ledger.csv kept.csv
sed -i '2s/flu/cold/' ledger.csv
fails 2 together one two
awk -F, -v OFS=, '/^p7,/ { $4 = $4 == 1 ? 2 : 1 } { print }' kept.csv >ledger.csv
python3 - <<'PY'
import hashlib, re
text = open("ledger.csv").read()
blank = re.sub("(?<=,seal )[0-9a-f]{64}", "0" * 64, text, count=1)
open("ledger.csv", "w").write(blank.replace("0" * 64, hashlib.sha256(blank.encode()).hexdigest(), 1))
PY
fails 2 together one two
cp kept.csv ledger.csv
sed -i 's/"seeded": true/"seeded": false/' two/manifest.json
fails 2 together one two
echo "-- what is not for it"
fails 2 covey attack one --with two --releases-ledger ledger.csv --attack skewness
# The other file that goes by the name: of attack itself.
fails 2 covey attack one --attack skewness --ledger kept.csv
