# A number with too many digits is a number: the message says so, and the largest and finest that is taken.
printf 'n,s\n1,a\n2,b\n3,a\n4,b\n' >table.csv
roles=(--quasi n --sensitive s --model k-anonymity:k=2 --method mondrian --quiet)
refuses() {
    fails 2 covey anonymize table.csv "${roles[@]}" -o other "$@"
}
refuses --weight n=9999999999999999999999
refuses --suppression 0.0000000000000000000001
refuses --suppression 1/9999999999999999999999
refuses --domain 'n=[0, 9223372036854775807]'
refuses --hierarchy 'n={interval: {from: -9223372036854775808, to: 5, widths: [2]}}'
refuses --hierarchy 'n={interval: {from: 0, to: 5, widths: [1000000000000000000]}}'
refuses --weight n=heavy
covey anonymize table.csv "${roles[@]}" --weight n=0999999999999999999 --suppression 0.000000000000000001 -o release
for number in 9999999999999999999 -1.0000000000000000001 1e5; do
    fails 2 covey query release "SELECT COUNT(*) WHERE n < $number"
    fails 2 covey query release "SELECT COUNT(*) WHERE n < '$number'"
done
covey query release 'SELECT COUNT(*) WHERE n < 999999999999999999' --json | tr -d '\n '
