# Two waves of hospital patients that share six in ten: published one after the other, proven together, and no more is told by both than by one. And whole patients can make a release of all their visits, which nobody's list has to say.
table=$(data diabetes/diabetic_data-101766.csv.gz)
python3 - "$table" <<'END'
import csv, gzip, sys
seen = set()
waves = [csv.writer(open(name, "w")) for name in ("first.csv", "second.csv")]
visits = csv.writer(open("visits.csv", "w"))
for w in [*waves, visits]:
    w.writerow(["patient", "race", "gender", "age", "diagnosis"])
for r in csv.DictReader(gzip.open(sys.argv[1], "rt")):
    patient, tenth = r["patient_nbr"], int(r["patient_nbr"]) // 7 % 10
    row = [patient, r["race"], r["gender"], r["age"], r["diag_1"][:1]]
    if tenth == 0:
        visits.writerow([*row[:4], r["diag_1"]])
    if patient in seen:
        continue
    seen.add(patient)
    if tenth < 7:
        waves[0].writerow(row)
    if tenth > 2:
        waves[1].writerow(row)
END
m() { covey anonymize "$1" --quasi race,gender,age --sensitive diagnosis --entity patient --model m-invariance:m=3 --seed 1 --quiet --ledger ledger.csv --suppression 0.2 "${@:2}"; }
m first.csv -o one
m second.csv -o two --previous one
covey verify two --ledger ledger.csv --previous one --original second.csv | tail -n 1
covey attack one --with two --releases-ledger ledger.csv --attack composition --json | grep -E '"(figure_exact|verdict|compared_persons|counted_persons|single_share|impossible_persons)"'
covey anonymize visits.csv --quasi race,gender,age --sensitive diagnosis --entity patient --model k-anonymity:k=5 --method elastic -o visits --links visits.links --quiet 2>/dev/null
covey verify visits --original visits.csv --links visits.links --json | grep proven
covey verify visits --original visits.csv --entity patient --json | grep -E '"(fit|holds|proven)"' | sort -u
