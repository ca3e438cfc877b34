printf 'zip,disease\n1001,flu\n1002,gout\n2001,cold\n2002,flu\n' >people.csv
anonymize() {
    cat >zip.csv
    fails 2 covey anonymize people.csv --quasi zip --type zip=text --hierarchy zip=zip.csv --sensitive disease --model k-anonymity:k=2 -o release --quiet
}
anonymize </dev/null
echo "-- a value is missing"
printf '1001;10**;*\n1002;10**;*\n2001;20**;*\n' | anonymize
echo "-- lines of different lengths"
printf '1001;10**;*\n1002;*\n2001;20**;*\n2002;20**;*\n' | anonymize
echo "-- a leaf twice"
printf '1001;10**;*\n1001;20**;*\n2001;20**;*\n2002;20**;*\n' | anonymize
echo "-- two roots"
printf '1001;10**\n1002;10**\n2001;20**\n2002;20**\n' | anonymize
echo "-- a node with two parents"
printf '1001;x;10**;*\n1002;x;20**;*\n2001;20**;20**;*\n2002;20**;20**;*\n' | anonymize
echo "-- no such file"
fails 2 covey anonymize people.csv --quasi zip --hierarchy zip=nothing.csv --sensitive disease --model k-anonymity:k=2 -o release --quiet
