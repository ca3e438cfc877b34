# With --json an error names the file and the column that it is about, also where a flag named them.
place() {
    local expected=$1
    shift
    fails "$expected" "$@" --json 2>/dev/null | tr -d '\n' | sed -E 's/.*"file": *([^,]*), *"row": *([^,]*), *"column": *("[^"]*"|[a-z0-9]*).*/\1 \2 \3/'
    echo
}
printf 'id,age,s\n1,20,a\n2,21,b\n3,22,a\n4,23,b\n' >t.csv
printf 'age,s\n20,a\n' >other.csv
printf 'version: 1\ninput: {path: t.csv}\nattributes:\n  - {name: age, role: quasi-identifier}\n' >nothing.yaml
usual=(--model k-anonymity:k=2 --method mondrian --others drop -o x)
place 2 covey anonymize t.csv --quasi agee --sensitive s "${usual[@]}"
place 2 covey anonymize t.csv --quasi age --sensitive s --entity idd "${usual[@]}"
place 2 covey anonymize t.csv --quasi age --sensitive s --model k-anonymity:k=2 --method mondrian -o x
place 2 covey anonymize t.csv --quasi age --sensitive s --domain 'age=[0, 21]' "${usual[@]}"
place 2 covey anonymize t.csv --quasi age --sensitive s --domain 's=[0, 21]' --type s=text "${usual[@]}"
place 2 covey anonymize t.csv --quasi age --sensitive s --model t-closeness:t=0.2,distance=ordered --method mondrian --others drop -o x
place 2 covey anonymize nothing.yaml -o x
place 2 covey compare t.csv --quasi foo --sensitive s --model k-anonymity:k=2
place 2 covey plan t.csv --quasi foo --sensitive s --model k-anonymity:k=2 --method mondrian --rows-per-part 3 -o plan
covey anonymize t.csv --quasi age --sensitive s --others drop --model k-anonymity:k=2 --method mondrian -o r --quiet
for command in measure attack; do place 2 covey $command r --original other.csv; done
place 2 covey report r --original other.csv -o r.html
place 2 covey attack r --original t.csv --weight foo
sed -i 's/"rows": 4/"rows": 5/' r/manifest.json
place 2 covey query r 'SELECT COUNT(*)'
