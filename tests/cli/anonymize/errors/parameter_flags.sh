# The same from flags: a complaint names the flag that gave the parameter.
printf 'age,zip,pay,disease\n20,1001,100,flu\n30,1002,200,gout\n40,2001,300,cold\n50,2002,400,flu\n' >people.csv
anonymize() {
    fails 2 covey anonymize people.csv --quasi age,zip --others insensitive -o release --quiet "$@"
}
anonymize --sensitive disease --model t-closeness:t=0.2,distance=ordered
anonymize --sensitive disease --model k-anonymity:k=1 --model basic-beta-likeness:beta=4,group-beta=2
anonymize --sensitive disease --model distinct-l-diversity:l=1 --method mondrian --splits '{ages: [30]}'
anonymize --sensitive disease --model distinct-l-diversity:l=1 --method mondrian:splits='{ages: [30]}'
anonymize --sensitive disease --model distinct-l-diversity:l=1 --method optimal-partition --time-limit soon
anonymize --sensitive disease --model distinct-l-diversity:l=2 --method burel
anonymize --sensitive pay --model p-private --method distribution --target unifrom
anonymize --sensitive pay --model p-private:target=unifrom --method distribution
anonymize --sensitive pay --model p-private --method distribution:fakes=many --json
anonymize --sensitive pay --model p-private --method distribution --groups '{method: {name: mondrian, splits: {ages: [30]}}, k: 2}'
anonymize --sensitive disease --model k-anonymity:k=1 --hierarchy 'age={date: [month]}'
# a flag wins over the file, and is to blame for what it says
cat >policy.yaml <<'EOF'
version: 1
input: {path: people.csv}
attributes:
  - {name: age, role: quasi-identifier}
  - {name: pay, role: sensitive}
others: drop
privacy:
  - {model: p-private}
method: {name: distribution, fakes: some}
EOF
fails 2 covey anonymize policy.yaml -o release --quiet
fails 2 covey anonymize policy.yaml -o release --quiet --fakes many
fails 2 covey anonymize policy.yaml -o release --quiet --fakes 1 --resolution fine
