printf 'age,city,disease\n20,a,flu\n30,b,gout\n40,c,cold\n50,d,flu\n' >people.csv
plan() {
    fails 2 covey plan people.csv --quasi age,city --sensitive disease --model k-anonymity:k=2 "$@"
}
plan --method mondrian
plan --method mondrian -o recipe --memory-limit much
plan --method mondrian -o recipe --memory-limit 1M
plan --method mondrian -o recipe --rows-per-part 0
plan -o recipe
plan --method full-domain -o recipe
plan --method slicing -o recipe
plan --method mondrian --groups '{by: [city]}' -o recipe
echo "-- nothing is replaced"
echo mine >recipe
plan --method mondrian -o recipe
cat recipe
echo "-- a wrong cell is found in whichever piece it is"
{ echo age,city,disease; for i in $(seq 400); do echo "$i,a,flu"; done; echo x,a,flu; } >people.csv
fails 2 covey plan people.csv --quasi age,city --type age=integer --sensitive disease --model k-anonymity:k=2 --method mondrian --rows-per-part 40 -o new
fails 2 covey plan nothing.csv --quasi age,city --sensitive disease --model k-anonymity:k=2 --method mondrian -o new
ls
echo "-- what no part could be made of is refused before any"
printf 'age,born\n20,2001-01-01\n30,2002-01-01\n' >people.csv
fails 2 covey plan people.csv --quasi age --sensitive born --model ke-anonymity:k=1,e=1 --method ke-permutation -o new
printf 'age,pay\n20,1\n30,\n40,3\n' >people.csv
fails 2 covey plan people.csv --quasi age --sensitive pay --missing-sensitive value --model ke-anonymity:k=1,e=1 --method ke-permutation -o new
