# Eight persons in four pieces of two: which half of a row goes with which is not published.
printf 'age,sex,zip,disease\n22,M,47906,dyspepsia\n22,F,47906,flu\n33,F,47905,flu\n52,F,47905,bronchitis\n54,M,47302,flu\n' >people.csv
printf '60,M,47302,dyspepsia\n60,M,47304,dyspepsia\n64,F,47304,gastritis\n' >>people.csv
covey anonymize people.csv --quasi age,sex,zip --sensitive disease --model sliced-l-diversity:l=2 --type zip=text \
    --method slicing --method 'slicing:columns=[[age, sex], [zip, disease]]' -o release --quiet >summary
covey query release "SELECT COUNT(*) WHERE age IN (60, 64) AND disease = 'dyspepsia'"
covey query release "SELECT COUNT(*), SUM(age), AVG(age), MIN(age), MAX(age) WHERE sex = 'F' OR zip = '47304'"
covey query release "SELECT AVG(age), MAX(age) WHERE zip = '47905' AND sex = 'F'" --json
covey query release "SELECT COUNT(*) WHERE age < 30 AND zip = '47906' OR age > 50 AND zip = '47302'"
covey query release "SELECT sex, COUNT(*) WHERE zip = '47302' GROUP BY sex"
covey query release "SELECT COUNT(*), SUM(age) WHERE sex = 'F' AND zip = '47905'" --sql
echo "-- refused"
fails 2 covey query release "SELECT SUM(age) WHERE age < 30 AND zip = '47906' OR age > 50 AND zip = '47302'"
fails 2 covey query release "SELECT SUM(disease)"
fails 2 covey query release "SELECT COUNT(*), SUM(age) WHERE sex = 'F' OR zip = '47905'" --sql
# Large numbers that cancel out in doubles: estimates stay within the bounds.
printf 'a,s\n1,999999999999999989\n2,-500000000000000000\n3,-500000000000000000\n4,1\n5,2\n6,-3\n' >large.csv
covey anonymize large.csv --quasi a --sensitive s --model sliced-l-diversity:l=2 --method slicing -o large --quiet
covey query large 'SELECT SUM(s), AVG(s) FROM release' --json
# Insensitive numbers stand as the table writes them; 1 and 1.0 are one group.
printf 'a,s,n\n1,x,1\n2,y,1.0\n3,x,2\n4,y,1\n' >written.csv
covey anonymize written.csv --quasi a --sensitive s --insensitive n --model sliced-l-diversity:l=2 --method slicing --seed 1 -o written --quiet
covey export written --to sqlite:written.db --quiet
covey query written 'SELECT COUNT(*), SUM(n) GROUP BY n'
covey query written 'SELECT COUNT(*), SUM(n) GROUP BY n' --sql | sqlite3 written.db
