# Queries that cannot be answered, and releases that cannot be asked.
printf 'age,edu,disease\n20,BA,flu\n20,MA,cold\n30,BA,flu\n30,HS,gout\n' >people.csv
covey anonymize people.csv --quasi age,edu --sensitive disease --model k-anonymity:k=2 --method mondrian -o release --quiet >summary
fails 2 covey query release
fails 2 covey query release 'SELECT COUNT(*) WHERE ag = 3'
fails 2 covey query release 'SELECT COUNT(*) WHERE age = 3 AND (edu = '
fails 2 covey query release 'SELECT COUNT(*) WHERE age = x' --json
fails 2 covey query release "SELECT COUNT(*) WHERE age < 'young'"
fails 2 covey query release 'SELECT SUM(disease)'
fails 2 covey query release 'SELECT SUM(age)'
fails 2 covey query release 'SELECT age, COUNT(*)'
fails 2 covey query release 'SELECT COUNT(*) GROUP BY disease'
printf 'height,disease\n1.5,flu\n1.7,cold\n' >heights.csv
covey anonymize heights.csv --quasi height --sensitive disease --model k-anonymity:k=2 --method mondrian -o heights --quiet >summary
fails 2 covey query heights 'SELECT COUNT(*) GROUP BY height'
fails 2 covey query nothing 'SELECT COUNT(*)'
fails 2 covey query people.csv 'SELECT COUNT(*)'
sed 's/flu/fever/' release/table.csv >changed
cat changed >release/table.csv
fails 2 covey query release 'SELECT COUNT(*)'
