# A release says nothing of suppressed rows: whatever they hold, its files are the same.
table() {
    printf 'age,zip,pay,disease\n'
    for i in 0 1 2 3 4 5 6 7 8 9 10 11; do echo "$((30 + i / 4 * 10 + i % 2)),1000$((i / 4)),$((100 * (i / 4))),flu"; done
    echo "$1,flu"
}
publish() {
    table "$1" >people.csv
    covey anonymize people.csv --quasi age,zip,pay "${@:3}" --sensitive disease --model k-anonymity:k=4 --suppression 0.1 --seed 1 --force -o "$2" --quiet >shown
    covey verify "$2" --original people.csv --quiet
    if grep -rl --exclude=age.csv -e 98765 -e 99999 -e 7.125 "$2"; then echo "a suppressed value is published"; fi
}
compare() {
    publish 98765,99999,7.125 one --method "$@"
    publish 35,10001,999 two --method "$@"
    if diff -r one two >different; then echo "$*: the same"; else cat different; fi
}
compare peel
compare peel --hierarchy 'zip={mask: 4}'
compare peel --hierarchy 'zip={balanced: 2}'
compare peel --publish-boxes cut
compare peel --domain 'age=[0, 100000]'
compare full-domain --hierarchy 'zip={mask: 4}' --hierarchy 'age={interval: {from: 0, to: 99999, widths: [10, 100]}}' --hierarchy 'pay={cuts: [[50, 150]]}'
publish 98765,99999,7.125 one --method full-domain
publish 98765,99999,7.125 one
grep -A 3 '"domain"' one/manifest.json | tr -d ' \n'
echo
