printf 'age,disease\n20,flu\n20,cold\n30,flu\n30,gout\n' >people.csv
anonymize() {
    covey anonymize people.csv --quasi age --sensitive disease --model k-anonymity:k=2 --method mondrian --quiet "$@" >summary
}
fails 2 anonymize
fails 2 anonymize -o ''
fails 2 anonymize -o .
anonymize -o release
echo "-- it exists"
fails 2 anonymize -o release
fails 2 anonymize -o people.csv
fails 2 anonymize -o people.csv --force
echo "-- and is replaced"
echo changed >>release/table.csv
anonymize -o release --force
ls -A release
echo "-- but not what somebody else has put into it, nor what is no release"
for mine in thesis.docx .hidden hierarchies; do
    echo mine >release/$mine
    fails 2 anonymize -o release --force
    cat release/$mine
    rm release/$mine
done
mkdir thesis
echo '{"files": [{"name": "thesis.docx"}]}' >thesis/manifest.json
echo mine >thesis/thesis.docx
fails 2 anonymize -o thesis --force
ls -A thesis
rm -rf thesis
ln -s release link
fails 2 anonymize -o link --force
rm link
echo "-- a folder of somebody else is not"
mkdir photos
echo mine >photos/mine
fails 2 anonymize -o photos --force
ls -A photos
echo "-- no such parent"
fails 2 anonymize -o no/such/release
fails 3 anonymize -o people.csv/release
echo "-- nothing else was left"
rm -rf release photos
ls -A
echo "-- what a release is made from is not replaced with it"
anonymize -o release
cp people.csv release
fails 2 covey anonymize release/people.csv --quasi age --sensitive disease --model k-anonymity:k=2 --method mondrian --quiet -o release --force
ls -A release
rm -rf release
