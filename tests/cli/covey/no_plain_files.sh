# Only files are replaced: of a pipe, a socket or a device --force says at once what it is, and waits for nobody.
refuses() {
    fails 2 timeout 20 covey "$@" --force
}
printf 'age,disease\n20,flu\n20,cold\n' >people.csv
covey anonymize people.csv --quasi age --sensitive disease --model k-anonymity:k=2 --method mondrian -o release --quiet
cat >policy.yaml <<'END'
version: 1
input: {path: people.csv}
attributes: [{name: age, role: quasi-identifier}, {name: disease, role: insensitive}]
privacy: [{model: k-anonymity, k: 2}]
method: {name: mondrian}
END
mkfifo pipe
python3 -c 'import socket; socket.socket(socket.AF_UNIX).bind("socket")'
for target in pipe socket /dev/null; do
    refuses report release -o $target
    refuses generate normal2d --rows 9 -o $target
    refuses inspect people.csv --policy $target
    refuses hierarchy build people.csv age '{balanced: 2}' -o $target
    refuses plan policy.yaml -o $target
    refuses anonymize policy.yaml -o $target
    refuses export release --to csv:$target
    refuses export release --to sqlite:$target
done
echo "-- without force a device is written to"
covey generate normal2d --rows 9 -o /dev/null --quiet && echo written
ls
