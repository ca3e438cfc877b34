# Nine persons in three groups of three: who has which of a group's salaries is not published.
printf 'age,sex,salary\n21,f,54\n24,m,65\n29,f,75\n31,m,56\n34,f,70\n38,m,80\n42,f,55\n45,f,75\n48,m,85\n' >people.csv
covey anonymize people.csv --quasi age,sex --sensitive salary --model ke-anonymity:k=3,e=20 --method ke-permutation --groups '{by: [{attribute: age, quantiles: 3}]}' \
    -o release --quiet >summary
covey query release 'SELECT COUNT(*), SUM(salary), AVG(salary), MIN(salary), MAX(salary) WHERE age >= 34'
covey query release 'SELECT AVG(salary), AVG(age) WHERE sex = '"'f'"' AND NOT age BETWEEN 30 AND 40' --json
echo "-- counts by salary"
covey query release "SELECT COUNT(*) WHERE salary > 60 AND sex = 'f'"
covey query release "SELECT COUNT(*) WHERE salary > 60"
echo "-- groups"
covey query release 'SELECT sex, COUNT(*), SUM(salary) GROUP BY sex'
covey query release 'SELECT MAX(salary) WHERE age < 30 GROUP BY sex, age' --json
echo "-- refused"
fails 2 covey query release "SELECT SUM(salary) WHERE salary > 60"
fails 2 covey query release "SELECT SUM(sex)"
