# Re-identification is of persons where the release says how many each class has: a class of 20 rows may be 4 persons', or one's.
visits_of_eight | cut -d, -f2- >visits.csv
visits() {
    covey anonymize visits.csv --others drop --quasi age --sensitive disease --method mondrian --quiet "$@"
}
visits --entity patient --model k-anonymity:k=4 -o four
covey attack four --attack re-identification
covey attack four --attack re-identification --k 5 --json | grep -e '"figure"' -e '"bound"' -e '"verdict"' -e unit
# Somebody with most rows of the class: k persons are there, and nothing is promised of shares.
for i in 1 2 3 4 5 6 7 8 9 10; do echo "p1,25,flu"; done >>visits.csv
visits --entity patient --model k-anonymity:k=2,units=count -o count
cat count/units.csv
covey attack count --attack re-identification --json | grep -e '"figure"' -e '"bound"' -e '"verdict"' -e unit
# Promises over rows alone bound nothing of persons.
visits --entity patient --model k-anonymity:k=5,units=rows -o rows
covey attack rows --attack re-identification --json | grep -e '"figure"' -e '"bound"' -e '"verdict"' -e unit
visits --model k-anonymity:k=5 -o none
covey attack none --attack re-identification --json | grep -e '"figure"' -e '"bound"' -e '"verdict"' -e unit
# With the original and the publisher's list of classes persons are counted exactly: checked against a count of their own.
python3 - <<'END'
import random
random.seed(5)
with open("stays.csv", "w") as out:
    print("home,patient,age,zip,disease", file=out)
    for p in range(90):
        age, zip_, likely = random.randrange(20, 60), random.randrange(4), random.choice("abcd")
        for _ in range(random.choice([1, 1, 2, 3, 5])):
            disease = likely if random.random() < 0.7 else random.choice("abcd")
            print(f"h{p // 2},p{p % 40 if p < 80 else p},{age + random.randrange(3)},{zip_},{disease}", file=out)
END
cat >stays.yaml <<'END'
version: 1
input: {path: stays.csv}
attributes:
  - {name: patient, role: entity, within: home}
  - {name: age, role: quasi-identifier}
  - {name: zip, role: quasi-identifier, type: text}
  - {name: disease, role: sensitive}
others: drop
suppression: {limit: 0.1}
privacy: [{model: k-anonymity, k: 3}, {model: basic-beta-likeness, beta: 3}]
method: mondrian
END
covey anonymize stays.yaml -o stays --links stays.links --quiet
sed -e '/within/s/, within: home//' -e 's/stays.csv/lone.csv/' stays.yaml >lone.yaml
sed -e 's/^h\([0-9]*\),p\([0-9]*\)/h\1,h\1p\2/' stays.csv >lone.csv
covey anonymize lone.yaml -o lone --links lone.links --quiet
cat >count.py <<'END'
import collections, csv, fractions, json, subprocess, sys
name, nested = sys.argv[1], sys.argv[2] == "homes"
rows = list(csv.DictReader(open(f"{name}.csv")))
classes = [line["class"] for line in csv.DictReader(open(f"{name}.links"))]
unit = [row["home"] if nested else row["patient"] for row in rows]
person = [(row["home"], row["patient"]) if nested else row["patient"] for row in rows]
size = collections.Counter(classes)
most = max(fractions.Fraction(n, size[c]) for (c, u), n in collections.Counter(zip(classes, unit)).items() if c)
of_class, having, all_having = collections.defaultdict(set), collections.defaultdict(set), collections.defaultdict(set)
for c, p, row in zip(classes, person, rows):
    of_class[c].add(p)
    having[c, row["disease"]].add(p)
    all_having[row["disease"]].add(p)
everybody = len(set(person))
ratio = max(fractions.Fraction(len(h) * everybody, len(of_class[c]) * len(all_having[v])) for (c, v), h in having.items() if c)
command = ["covey", "attack", name, "--original", f"{name}.csv", "--links", f"{name}.links", "--attack", "re-identification,skewness", "--json"]
found = {a["name"]: a for a in json.loads(subprocess.run(command, capture_output=True, check=True, text=True).stdout)["attacks"]}
told, skew = found["re-identification"], found["skewness"]
bound = json.loads(subprocess.run(["covey", "attack", name, "--attack", "re-identification", "--json"], capture_output=True, check=True, text=True).stdout)["attacks"][0]
print(abs(told["figure"] - most) < 1e-12, told["figure"] <= bound["figure"] <= told["bound"] + 1e-12, told["verdict"], abs(skew["person_ratio"] - ratio) < 1e-12, abs(skew["person_q"] / skew["person_p"] - ratio) < 1e-12)
END
python3 count.py stays homes
python3 count.py lone persons
covey attack lone --original lone.csv --links lone.links --attack skewness | grep -A9 '^  skewness' | grep -c 'Of the persons of a class'
# A list that proves nothing, or that there is no place for.
fails 2 covey attack lone --links lone.links
fails 2 covey attack lone --original lone.csv --links lone.links --entity patient
other=$(awk -F, 'NR == 2 {class = $2} NR > 2 && $2 != "" && $2 != class {print $2; exit}' lone.links)
sed "2s/.*/1,$other/" lone.links >forged.links
cp lone.links.json forged.links.json
fails 2 covey attack lone --original lone.csv --links forged.links
fails 2 covey attack none --original visits.csv --links lone.links
# Composition over persons, of one table and of another with some of the same: a count of their own again.
covey anonymize stays.yaml --method peel --model k-anonymity:k=2 -o stays2 --links stays2.links --quiet
{ head -1 stays.csv; sed -n '40,$p' stays.csv | tac; echo 'h99,p7,30,1,a'; echo 'h99,p7,31,1,b'; echo 'h99,p8,31,1,b'; } >later.csv
sed -e 's/stays.csv/later.csv/' stays.yaml >later.yaml
covey anonymize later.yaml -o later --links later.links --quiet
cat >compose.py <<'END'
import collections, csv, json, subprocess, sys
second, table = sys.argv[1], sys.argv[2]
def read(name, table):
    of, has = {}, collections.defaultdict(set)
    for row, link in zip(csv.DictReader(open(table)), csv.DictReader(open(f"{name}.links"))):
        person = row["home"], row["patient"]
        of[person] = link["class"]
        has[person].add(row["disease"])
    return of, has
def share(of, has, cls, v):
    members = [p for p in of if cls is None or of[p] == cls]
    return sum(v in has[p] for p in members) / len(members)
(of_a, has_a), (of_b, has_b) = read("stays", "stays.csv"), read(second, table)
both = [p for p in of_a if of_a[p] and of_b.get(p)]
told = []
for p in both:
    for v in has_a[p]:
        a, b, all_ = share(of_a, has_a, of_a[p], v), share(of_b, has_b, of_b[p], v), share(of_a, has_a, None, v)
        has, hasnt = all_ * (a / all_) * (b / all_), (1 - all_) * ((1 - a) / (1 - all_)) * ((1 - b) / (1 - all_))
        told.append(has / (has + hasnt))
pairs = collections.Counter((of_a[p], of_b[p]) for p in both)
command = ["covey", "attack", "stays", "--original", "stays.csv", "--links", "stays.links", "--with", second, "--with-links", f"{second}.links", "--attack", "composition", "--json"]
command += [] if table == "stays.csv" else ["--with-original", table]
found = json.loads(subprocess.run(command, capture_output=True, check=True, text=True).stdout)["attacks"][0]
print(found["over"], found["compared_persons"] == len(both), abs(found["person_mean"] - sum(told) / len(told)) < 1e-12, abs(found["person_max"] - max(told)) < 1e-12, found["fewest_persons_in_common"] == min(pairs.values()))
END
python3 compose.py stays2 stays.csv
python3 compose.py later later.csv
covey attack stays --original stays.csv --links stays.links --with later --with-links later.links --with-original later.csv --attack composition | grep -c 'persons are in both releases'
fails 2 covey attack stays --original stays.csv --with stays2 --with-links stays2.links
fails 2 covey attack stays --original stays.csv --links stays.links --with later --with-original later.csv
# Of a population a line is a person: a class is as many people as it has persons, whatever their rows.
python3 - <<'END'
import csv
seen = {}
for row in csv.DictReader(open("stays.csv")):
    seen.setdefault((row["home"], row["patient"]), row)
with open("people.csv", "w") as out:
    print("age,zip", file=out)
    for row in list(seen.values()) * 2:
        print(f"{row['age']},{row['zip']}", file=out)
END
covey attack stays --population people.csv --attack membership,re-identification --json >told
python3 - <<'END'
import csv, fractions, json, re
membership, found = json.load(open("told"))["attacks"]
persons = {line["class"]: int(line["persons"]) for line in csv.DictReader(open("stays/units.csv"))}
people, cells = list(csv.DictReader(open("people.csv"))), {}
for row in csv.DictReader(open("stays/table.csv")):
    cells[row["class"]] = [int(end) for end in re.findall(r"\d+", row["age"])], re.findall(r"\d+", row["zip"])
fitting = {c: sum(age[0] <= int(p["age"]) <= age[-1] and p["zip"] in zips for p in people) for c, (age, zips) in cells.items()}
print(membership["over"], found["over"], found["population"] == len(people), found["fewest_people"] == min(fitting.values()))
print(abs(membership["figure"] - max(fractions.Fraction(persons[c], n) for c, n in fitting.items())) < 1e-12, abs(membership["prior"] - sum(persons.values()) / len(people)) < 1e-12)
END
covey attack stays --population people.csv --attack membership | grep -A2 '^  membership:'
# Where rows are counted it is said.
covey attack stays --original stays.csv | grep -c 'Rows were counted'
covey attack none | grep -c 'Rows were counted' || true
# Classes may overlap: with links the weights of a class are those of its own rows, u4's and u6's of 1 each in the first.
printf 'age,kind,s,who,wt\n23,r,b,u3,10\n24,q,b,u1,10\n21,r,a,u4,1\n21,r,a,u2,10\n24,p,a,u2,10\n22,r,a,u6,1\n22,q,a,u3,1\n' >overlap.csv
covey anonymize overlap.csv --quasi age,kind --sensitive s --entity who --sampling-weight wt --model k-anonymity:k=2 --method mondrian --seed 1 -o overlap --links overlap.links --quiet
covey attack overlap --original overlap.csv --links overlap.links --weight wt --attack re-identification --json | grep -e weighted_m -e fewest_people
# Rows without a name are nobody's together: each is somebody else's.
printf 'age,who,s\n20,a,x\n21,,y\n30,,x\n31,,y\n40,b,x\n41,,y\n' >nameless.csv
covey anonymize nameless.csv --quasi age --sensitive s --others drop --model k-anonymity:k=2 --method mondrian -o nameless --quiet
covey attack nameless --original nameless.csv --entity who --attack re-identification --json | grep entit
# One is no plural.
printf 'who,age,s\na,20,x\na,20,y\nb,30,x\nc,30,y\n' >alone.csv
covey anonymize alone.csv --quasi age --sensitive s --entity who --model k-anonymity:k=2,units=rows --method mondrian -o alone --quiet
covey attack alone --attack re-identification --json | grep -o 'a class has.*states'
