# What a summary names to go on with proves the most that can be proven of the release: it is run as it stands.
python3 "$ROOT/tests/cli/anonymize/m_invariance/tables.py"
seq 5 | sed 's/\(.*\)/h\1,p,3\1,flu\nh\1,p,3\1,cold\nh\1,q,4\1,gout/; 1i house,person name,age,illness' | tr '+' '\n' >visits.csv
next() {
    covey anonymize "$@" 2>/dev/null | sed -n '/^To go on:/,$s/^  //p' | tee command
    bash command | tail -n 1
}
m() { next "$1" --quasi age,zip --sensitive illness --entity patient --model m-invariance:m=3 --seed 3 "${@:2}"; }
p() { next visits.csv --quasi age --sensitive illness --entity 'person name' --within 'person name=house' --others drop "$@"; }
m wave1.csv -o one --ledger ledger.csv
m wave2.csv -o 'release two' --ledger ledger.csv --previous one
m wave3.csv -o three --ledger ledger.csv --previous 'release two' --previous one
grep '"counterfeits": [0-9]*,' 'release two/manifest.json'
echo "-- persons, with a list and without"
p --model k-anonymity:k=2 --method mondrian -o listed --links links.csv
p --model k-anonymity:k=2 --method mondrian -o persons
echo "-- a ledger that does not know the release, as it is none of its kind"
next wave2.csv --quasi age,zip --sensitive illness --entity patient --model k-anonymity:k=3 --ledger ledger.csv --previous one --previous 'release two' --previous three --method mondrian -o other
echo "-- rows alone"
next wave1.csv --quasi age,zip --sensitive illness --others drop --model k-anonymity:k=3 --method mondrian -o rows
echo "-- what cannot be read again"
pipe() { covey anonymize "$1" --quasi age,zip --sensitive illness --others drop --model k-anonymity:k=3 --method mondrian -o "$2" 2>/dev/null | sed -n '/^To go on:/,$p'; }
pipe /dev/stdin piped <wave1.csv
mkfifo fifo
cat wave1.csv >fifo &
pipe fifo 'piped again'
fails 2 covey anonymize - --quasi age,zip --others drop --model k-anonymity:k=3 -o none 2>&1 <wave1.csv
