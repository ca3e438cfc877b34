# Two classes of four rows: ages 20 to 30 and 40 to 50, any school; the pay is exact.
printf 'age,edu,pay,disease\n20,BA,10,flu\n20,MA,20,cold\n30,BA,30.5,flu\n30,HS,40,gout\n40,HS,-5,cold\n40,BA,7,flu\n50,BA,8,gout\n50,MA,12,cold\n' >people.csv
covey anonymize people.csv --quasi age,edu --sensitive disease --insensitive pay --type pay=decimal --model k-anonymity:k=4 --method mondrian -o release \
    --quiet >summary
covey query release 'SELECT COUNT(*), SUM(pay), AVG(pay), MIN(pay), MAX(pay) WHERE age <= 30'
covey query release 'SELECT COUNT(*), SUM(pay), AVG(pay), MIN(pay), MAX(pay) WHERE age < 30 OR age >= 45' --json
echo "-- labels, and conditions that are sure although no test is"
covey query release "SELECT COUNT(*) WHERE age = '[20, 30]'"
covey query release "SELECT COUNT(*) WHERE age < 25 OR NOT age < 25"
covey query release "SELECT COUNT(*) FROM release WHERE disease IN ('flu', 'gout') AND age BETWEEN 35 AND 55;"
echo "-- nothing selected"
covey query release "SELECT COUNT(*), SUM(pay) WHERE edu = 'PhD'" --json
echo "-- groups"
covey query release "SELECT edu, COUNT(*), AVG(pay) WHERE age > 30 GROUP BY edu"
covey query release "SELECT COUNT(*) WHERE edu <> 'HS' GROUP BY edu" --json
echo "-- the leaves of a mask are not published: nothing says how many of the rows of * are among 11*"
printf 'zip,s\n111,1\n112,2\n211,3\n311,4\n' >zips.csv
printf 'version: 1\ninput: {path: zips.csv}\nattributes:\n  - {name: zip, role: quasi-identifier, type: text, hierarchy: {mask: 3}}\n  - {name: s, role: insensitive, type: integer}\nprivacy: [{model: k-anonymity, k: 2}]\nmethod: {name: mondrian}\n' >zips.yaml
covey anonymize zips.yaml -o masked --quiet >/dev/null
covey query masked "SELECT COUNT(*), SUM(s), AVG(s) GROUP BY zip"
echo "-- of a hierarchy made from texts: who shows a single value has it, and who shows a run may have its ends"
printf 'job,disease\na,flu\na,flu\nb,flu\nc,flu\nc,flu\nc,flu\n' >jobs.csv
covey anonymize jobs.csv --quasi job --sensitive disease --hierarchy 'job={balanced: 2}' --model k-anonymity:k=1 --method mondrian -o jobs --quiet >/dev/null
covey query jobs "SELECT COUNT(*) WHERE job = 'a'" --json | grep COUNT
covey query jobs "SELECT COUNT(*) WHERE job BETWEEN 'a' AND 'a'" --json | grep COUNT
covey query jobs "SELECT COUNT(*) WHERE job >= 'a' AND job <= 'a' OR job BETWEEN 'c' AND 'c'" --json | grep COUNT
covey anonymize jobs.csv --quasi job --sensitive disease --hierarchy 'job={balanced: 2}' --model k-anonymity:k=3 --method mondrian -o runs --quiet >/dev/null
cut -d, -f2 runs/table.csv | uniq -c
covey query runs "SELECT COUNT(*) WHERE job BETWEEN 'a' AND 'a'" --json | grep COUNT
covey query runs "SELECT COUNT(*) WHERE job BETWEEN 'a' AND 'b'" --json | grep COUNT
covey query runs "SELECT COUNT(*) WHERE job > 'b'" --json | grep COUNT
# Ranges of large numbers are as long as they are, not as doubles of their ends say.
printf 'a,s\n9007199254740989,1\n9007199254740993,2\n' >large.csv
covey anonymize large.csv --quasi a --type a=integer --sensitive s --model k-anonymity:k=2 --method mondrian -o large --quiet >/dev/null 2>&1
covey query large 'SELECT COUNT(*) GROUP BY a' | grep COUNT
covey query large 'SELECT COUNT(*) WHERE a <= 9007199254740989' | grep COUNT
# Ranges that overlap have their numbers in common: 60 of 501 numbers each are 560 groups.
awk 'BEGIN { print "x,y,s"; for (i = 0; i < 60; i++) print i "," 100 * i "," i % 3 "\n" i + 500 "," 100 * i "," i % 3 }' >ranges.csv
covey anonymize ranges.csv --quasi x,y --sensitive s --model k-anonymity:k=2 --method 'mondrian:splits={x: [1000]}' -o ranges --quiet >/dev/null 2>&1
cut -d, -f2 ranges/table.csv | tail -n +2 | sort -u | wc -l
covey query ranges 'SELECT COUNT(*) GROUP BY x' --json | grep -c '"key"'
