# "No" is an answer: exit code 1, with the cause and what could be kept.
printf 'age,disease\n20,flu\n30,gout\n40,cold\n50,flu\n' >people.csv
no() {
    fails 1 covey anonymize people.csv --quasi age --sensitive disease --method mondrian -o release --quiet "$@"
    ! ls -d release .release* 2>/dev/null
}
no --model k-anonymity:k=5
no --model distinct-l-diversity:l=4
no --model probabilistic-l-diversity:l=3
no --model entropy-l-diversity:l=4
no --model k-anonymity:k=5 --json
no --model k-anonymity:k=5 --model alpha-k-anonymity:alpha=0.1,k=9 --min-size 6 --json

# with the sensitive attribute in several columns, too; columns have the policy's numbers
printf 'a,b,s\n0,0,x\n0,0,y\n0,1,x\n0,1,y\n1,0,x\n1,0,x\n1,0,x\n1,0,y\n1,1,x\n1,1,y\n' >pieces.csv
slice() {
    covey anonymize pieces.csv --quasi a,b --sensitive s --method slicing --columns '[[a],[b,s],[a,s],[b]]' -o release --model "sliced-l-diversity:l=$1" "${@:2}"
}
fails 1 slice 3 --json --quiet
fails 1 slice 14/10
slice "$(fails 1 slice 3 --json --quiet 2>&1 | sed -n 's/.*"l": "\(.*\)".*/\1/p')" >/dev/null

# counts of one
printf 'age,sex\n3,f\n' > one.csv
for model in k-anonymity:k=5 alpha-k-anonymity:alpha=1/2,k=3,attribute=sex p-sensitive-k-anonymity:p=1,k=2,attribute=sex; do
    fails 1 covey anonymize one.csv --quasi age --sensitive sex --model "$model" --method mondrian -o r
done
