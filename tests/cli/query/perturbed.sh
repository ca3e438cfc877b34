# Who has which salary is randomized; the probabilities are published, and estimates undo them.
covey generate census --rows 2000 --seed 1 -o census.csv --quiet
covey anonymize census.csv --quasi age,gender,education,marital,workclass --sensitive salary --model enhanced-beta-likeness:beta=4 --method perturbation \
    --seed 7 -o release --quiet >summary
covey query release 'SELECT COUNT(*) WHERE age < 40 AND salary BETWEEN 10 AND 30'
covey query release 'SELECT COUNT(*) WHERE age < 40 AND salary BETWEEN 10 AND 30' --json
covey query release 'SELECT COUNT(*), SUM(salary), AVG(salary), MIN(salary), MAX(age) WHERE age < 40 OR gender = 1'
covey query release 'SELECT gender, COUNT(*) WHERE salary < 12 AND age > 65 AND education = 4 GROUP BY gender'
echo "-- shrunk"
covey query release 'SELECT COUNT(*) WHERE age < 40 AND salary BETWEEN 10 AND 30' --shrink
fails 2 covey query release 'SELECT AVG(salary) WHERE salary < 10'
covey anonymize census.csv --quasi age,gender --sensitive salary --others drop --model k-anonymity:k=10 --method mondrian -o classes --quiet >summary
fails 2 covey query classes 'SELECT COUNT(*)' --shrink
