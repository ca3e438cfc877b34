# Persons are counted where the release says how many each class has: for people, as JSON, in groups, and as SQL over the exported tables.
visits_of_eight >visits.csv
visits() {
    covey anonymize visits.csv --others drop --quasi age --sensitive disease --method mondrian --quiet "$@"
}
visits --entity patient --model k-anonymity:k=4 -o four
cat four/units.csv
for where in "disease <> 'none'" "disease = 'flu'" "age < 41 AND disease <> 'gout'" "age < 41 AND disease IN ('flu', 'cold')" "age < 27" "age > 99"; do
    covey query four "SELECT COUNT(*), COUNT(DISTINCT entity) WHERE $where"
done
covey query four "select count(distinct Entity) where disease = 'flu'" --json
covey query four "SELECT COUNT(DISTINCT entity) WHERE age < 27 GROUP BY age" | head -3
# The same bounds from the exported tables.
covey export four --to sqlite:four.db --quiet
covey query four "SELECT COUNT(DISTINCT entity) WHERE disease = 'flu'" --sql
for where in "disease <> 'none'" "disease = 'flu'" "age < 41 AND disease <> 'gout'" "age < 41 AND disease IN ('flu', 'cold')" "age < 27" "age > 99"; do
    covey query four "SELECT COUNT(*), COUNT(DISTINCT entity) WHERE $where" --sql | sqlite3 -header four.db
done
# What is counted is persons or households, never values.
fails 2 covey query four "SELECT COUNT(DISTINCT household)"
fails 2 covey query four "SELECT COUNT(DISTINCT age)"
fails 2 covey query four "SELECT COUNT(DISTINCT \"entity\")"
fails 2 covey query four "SELECT COUNT(entity)"
fails 2 covey query four "SELECT COUNT(DISTINCT *)"
visits --model k-anonymity:k=4 -o rows
fails 2 covey query rows "SELECT COUNT(DISTINCT entity)"
cat >homes.yaml <<'END'
version: 1
input: {path: visits.csv}
attributes:
  - {name: patient, role: entity, within: home}
  - {name: age, role: quasi-identifier}
  - {name: disease, role: sensitive}
others: drop
privacy: [{model: k-anonymity, k: 2}]
method: mondrian
END
covey anonymize homes.yaml -o homes --quiet
cat homes/units.csv
covey query homes "SELECT COUNT(DISTINCT entity), COUNT(DISTINCT household) WHERE age > 35 AND disease = 'flu'"
covey export homes --to sqlite:homes.db --quiet
covey query homes "SELECT COUNT(DISTINCT entity), COUNT(DISTINCT household) WHERE age > 35 AND disease = 'flu'" --sql | sqlite3 -header homes.db
# Where everybody has one row the answer is that of COUNT(*), with its error and without a note.
sed -n '1p;2~5p' visits.csv | covey anonymize /dev/stdin --others drop --quasi age --sensitive disease --method mondrian --quiet --entity patient --model k-anonymity:k=4 -o alone
covey query alone "SELECT COUNT(*), COUNT(DISTINCT entity) WHERE age < 30"
covey query alone "SELECT COUNT(*), COUNT(DISTINCT entity) WHERE age < 30" --sql
# Numbers that cannot be true are no ground for an answer.
sed -i "s/^2,4,5/2,4,4/" four/units.csv
fails 2 covey query four "SELECT COUNT(DISTINCT entity)"
sed -i "s/^2,4,/2,5,/" alone/units.csv
fails 2 covey query alone "SELECT COUNT(DISTINCT entity)"
