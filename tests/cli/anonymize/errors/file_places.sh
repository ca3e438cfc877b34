# Values of files are told with the file and the line, whichever file it is.
printf 'age,pay\n20,100\n30,200\n40,300\n50,400\n' >people.csv
distribute() {
    fails 2 covey anonymize people.csv --quasi age --sensitive pay --model p-private --method distribution -o release --quiet "$@"
}
shares() {
    printf 'value,share\n%b' "$1" >shares.csv
    distribute --target '{file: shares.csv}' "${@:2}"
}
shares '100,0\n200,0\n'
shares '100,1\n200,1.5\n300,0.25\n' --resolution exact --json
shares '100,1\n200,1\n100,2\n'
shares '100,900000000000000000\n200,0.00000000000000001\n'
shares '100,5e3\n'
shares '150,5\n'
shares '100;1;2\n'
printf 'worth,share\n100,1\n' >shares.csv
distribute --target '{file: shares.csv}'
# hierarchies
printf '100;a;*\n200;b;*\n300;a;*\n400;b;*\n' >pay.csv
distribute --hierarchy pay=pay.csv
printf '100;a;*\n200;a;*\n400;b;*\n' >pay.csv
distribute --hierarchy pay=pay.csv
distribute --hierarchy pay=pay.csv --json
# a cell that makes a text of numbers
printf 'age,pay\n20,100\n30,200\n40,much\n50,400\n' >people.csv
distribute
fails 2 covey anonymize people.csv --quasi age --sensitive pay --model ke-anonymity:k=2,e=5 --method ke-permutation -o release --quiet
fails 2 covey hierarchy check pay.csv people.csv pay
