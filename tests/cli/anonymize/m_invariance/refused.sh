# What would break the promise over several releases is refused before anything is written, without a name.
python3 "$ROOT/tests/cli/anonymize/m_invariance/tables.py"
m() { covey anonymize "$@" --quasi age,zip --sensitive illness --model m-invariance:m=3 --seed 3 --quiet; }
p() { m "$@" --entity patient; }

p wave1.csv -o one --ledger ledger.csv
cp ledger.csv kept.csv
echo "-- the policy"
fails 2 p wave2.csv -o two
fails 2 m wave2.csv -o two --ledger new.csv
fails 2 covey anonymize wave2.csv --quasi zip --insensitive age --sensitive illness --entity patient --model m-invariance:m=3 --ledger new.csv -o two
fails 2 covey anonymize wave2.csv --quasi zip --others insensitive --sensitive illness --entity patient --model m-invariance:m=3 --ledger new.csv -o two
fails 2 covey anonymize wave2.csv --quasi zip --sensitive age,illness --entity patient --model m-invariance:attribute=illness,m=3 --ledger new.csv -o two
fails 2 p wave2.csv -o two --ledger new.csv --model t-closeness:t=0.5
fails 2 p wave2.csv -o two --ledger two/ledger.csv
fails 2 p wave2.csv -o two --ledger one/ledger.csv
fails 2 p wave2.csv -o two --ledger new.csv --links links.csv
fails 2 p wave2.csv -o two --ledger new.csv --memory-limit 64M
fails 2 p wave2.csv -o two --ledger new.csv --missing-sensitive value
echo "-- the releases"
fails 2 p wave2.csv -o two --ledger ledger.csv
fails 2 p wave2.csv -o two --ledger new.csv --previous one
fails 2 covey anonymize wave2.csv --quasi age,zip --sensitive illness --entity patient --model k-anonymity:k=3 --previous one -o two
cp -r one changed
sed -i 's/"classes": /"classes":  /' changed/manifest.json
fails 2 p wave2.csv -o two --ledger ledger.csv --previous changed
fails 2 p wave2.csv -o one --force --ledger ledger.csv --previous one
printf 'patient,age,zip,illness\np1,30,1000,flu\np2,30,1000,cold\np3,30,1000,hiv\n' >same.csv
p same.csv -o same --ledger same_ledger.csv
fails 2 p same.csv -o again --ledger same_ledger.csv --previous same
echo "-- the table"
{ cat wave2.csv; tail -n 1 wave2.csv; } >twice.csv
fails 2 p twice.csv -o two --ledger ledger.csv --previous one
sed 's/^p5,\(.*\),[a-z]*$/p5,\1,measles/' wave2.csv >healed.csv
fails 2 p healed.csv -o two --ledger ledger.csv --previous one
sed '2s/^p[0-9]*//' wave2.csv >nameless.csv
fails 2 p nameless.csv -o two --ledger ledger.csv --previous one
echo "-- more values than classes have, or than new rows have"
fails 1 covey anonymize wave2.csv --quasi age,zip --sensitive illness --entity patient --model m-invariance:m=4 --ledger ledger.csv --previous one -o two --json 2>&1 | grep message
fails 1 covey anonymize wave1.csv --quasi age,zip --sensitive illness --entity patient --model m-invariance:m=5 --ledger new.csv -o two --json 2>&1 | grep message
covey anonymize wave1.csv --quasi age,zip --sensitive illness --entity patient --model m-invariance:m=5 --ledger new.csv -o five --suppression 0.4 --quiet
covey verify five --ledger new.csv --original wave1.csv | tail -n 2
echo "-- other policies are warned"
covey anonymize wave2.csv --quasi age,zip --sensitive illness --entity patient --model distinct-l-diversity:l=2 --ledger ledger.csv -o other --seed 3 2>&1 >summary
fails 2 covey anonymize wave2.csv --quasi age,zip --sensitive illness --entity patient --model distinct-l-diversity:l=2 --ledger none.csv -o other --force
cmp ledger.csv kept.csv
ls
