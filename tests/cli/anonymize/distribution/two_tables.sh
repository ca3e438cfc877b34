# Two tables that groups of rows link: by flags, by a policy, with everything that refuses or warns.
cat >people.csv <<'END'
zip,age,sex,disease,note
47677,29,F,ovarian cancer,a
47602,22,F,ovarian cancer,b
47678,27,M,prostate cancer,c
47905,43,M,flu,d
47909,52,F,heart disease,e
47906,47,M,heart disease,"f, g"
47605,30,M,heart disease,h
47673,36,M,flu,i
47607,32,M,flu,j
END
by_flags() {
    covey anonymize people.csv --quasi zip,age,sex --sensitive disease --insensitive note --method anatomy "$@" -o release
}
echo "-- by flags, l = 3"
by_flags --model probabilistic-l-diversity:l=3 --seed 5 | sed -E 's/, in [0-9.]+ s \(.*/./'
head -4 release/quasi.csv
cat release/sensitive.csv
covey verify release --original people.csv
echo "-- measured"
covey measure release --original people.csv

echo "-- by a policy, a number, similar rows"
cat >policy.yaml <<'END'
version: 1
input: {path: people.csv}
attributes:
  - {name: zip, role: quasi-identifier, hierarchy: {mask: 5}}
  - {name: age, role: sensitive}
  - {name: sex, role: quasi-identifier}
others: drop
privacy:
  - {model: distinct-l-diversity, l: 4}
method: {name: anatomy, qi-aware: true}
END
covey anonymize policy.yaml -o numbers --seed 1 --json |
    python3 -c 'import json, sys; r = json.load(sys.stdin); print(r["form"], r["classes"], r["promises"], r["objective"], r["utility"])'
head -3 numbers/quasi.csv
cat numbers/sensitive.csv numbers/help.csv
covey verify numbers --original people.csv --json |
    python3 -c 'import json, sys; v = json.load(sys.stdin); print(v["holds"], v["faithful"], v["problems"])'

echo "-- values that a preset brings together"
echo 036 >small
awk 'BEGIN { print "age,zip,disease"; for (i = 0; i < 30; i++) print 80 + i % 17 "," (i % 3 ? 10001 + i % 2 : 3601) "," "d" i % 5 }' >old.csv
cat >safe.yaml <<'END'
version: 1
input: {path: old.csv}
attributes:
  - {name: age, role: quasi-identifier}
  - {name: zip, role: quasi-identifier, type: text}
  - {name: disease, role: sensitive}
presets: [{name: hipaa-zip3, small-areas: small}]
privacy:
  - {model: probabilistic-l-diversity, l: 5}
method: anatomy
END
sed -i -E 's/,3601,/,03601,/' old.csv
covey anonymize safe.yaml -o safe --quiet --seed 3 >summary 2>advice
head -3 safe/quasi.csv
cut -d, -f2 safe/quasi.csv | sort | uniq -c | tail -2 | sed 's/^ *//'
covey verify safe --original old.csv | tail -2

echo "-- refused"
fails 1 by_flags --force --model probabilistic-l-diversity:l=4
fails 1 by_flags --force --model distinct-l-diversity:l=5
fails 2 by_flags --force --model k-anonymity:k=2
fails 2 by_flags --force --model t-closeness:t=0.5
fails 2 covey anonymize people.csv --quasi zip,age --sensitive disease,note --insensitive sex \
    --model distinct-l-diversity:l=2,attribute=disease --method anatomy -o never
fails 2 by_flags --force --model distinct-l-diversity:l=2 --qi-aware maybe
sed '1s/sex/group/' people.csv >group.csv
covey anonymize group.csv --quasi zip,age --sensitive disease --others drop --model distinct-l-diversity:l=2 --method anatomy -o dropped >summary
fails 2 covey anonymize group.csv --quasi zip,group --sensitive disease --others drop --model distinct-l-diversity:l=2 --method anatomy -o never
sed '1s/disease/count/' people.csv >count.csv
fails 2 covey anonymize count.csv --quasi zip,age --sensitive count --others drop --model distinct-l-diversity:l=2 --method anatomy -o never
sed '1s/age/count/' people.csv >count.csv
covey anonymize count.csv --quasi zip,count --sensitive disease --others drop --model distinct-l-diversity:l=2 --method anatomy -o counted >summary
ls

echo "-- warned"
sed 's/flu/?/' people.csv >missing.csv
covey anonymize missing.csv --null '?' --missing-sensitive value --quasi zip,age --sensitive disease --others drop \
    --model distinct-l-diversity:l=2 --method anatomy -o missing >summary
by_flags --force --model probabilistic-l-diversity:l=1 >summary
covey verify missing --original missing.csv --quiet

echo "-- forged"
sed -i 's/,flu,1/,flu,2/' release/sensitive.csv
fails 1 covey verify release
