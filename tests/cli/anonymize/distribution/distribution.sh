# The table of [Koudas09]: three groups that seem to be uniform, the answers of the paper, and what is refused.
cat >t.csv <<'END'
zip,sex,salary
91110,F,30
91110,M,40
91120,F,50
91120,M,60
91210,F,40
91220,F,30
91230,F,50
91310,M,60
91320,F,60
91330,M,60
91340,M,40
END
cat >policy.yaml <<'END'
version: 1
input: {path: t.csv}
attributes:
  - {name: zip, role: quasi-identifier, type: text, hierarchy: {mask: 5}}
  - {name: sex, role: quasi-identifier}
  - {name: salary, role: sensitive}
privacy: [{model: p-private, target: uniform}]
method: {name: distribution}
groups: {by: [{attribute: zip, level: 2}]}
END
covey anonymize policy.yaml -o release --quiet >summary
cat release/sensitive.csv release/target.csv
covey verify release --original t.csv
covey query release "SELECT SUM(salary), AVG(salary) WHERE sex = 'F'" --json
covey anonymize policy.yaml -o faked --fakes 8 --quiet >summary
cat faked/sensitive.csv
printf 'value,share\n30,1\n40,x\n' >shares.csv
covey anonymize policy.yaml -o none --target '{file: shares.csv}' || echo "exit $?"
sed 's/, target: uniform//' policy.yaml >open.yaml
covey anonymize open.yaml -o none --target '{file: shares.csv}' || echo "exit $?"
covey anonymize open.yaml -o none --fakes -1 || echo "exit $?"
test ! -e none
