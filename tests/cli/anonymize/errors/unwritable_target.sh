[ "$(id -u)" != 0 ] || skip "root may write everywhere"
printf 'age,disease\n20,flu\n20,cold\n' >people.csv
mkdir -m 500 locked
fails 3 covey anonymize people.csv --quasi age --sensitive disease --model k-anonymity:k=2 --quiet -o locked/release
mkdir -m 000 hidden
fails 3 covey anonymize people.csv --quasi age --sensitive disease --model k-anonymity:k=2 --quiet -o hidden/release
chmod 200 people.csv
fails 3 covey anonymize people.csv --quasi age --sensitive disease --model k-anonymity:k=2 --quiet -o release
chmod 700 locked hidden
