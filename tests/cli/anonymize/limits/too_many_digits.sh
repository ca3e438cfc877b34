# Numbers of one column may have 18 digits with the same places behind the point: any more is refused at once, with both cells, whatever the column is for.
refuses() {
    fails 2 covey anonymize "$@" -o release --quiet
    ! ls -d release .release* 2>/dev/null
}
printf 'q,s\na,90000000000.5\nb,-90000000000.5\nc,0.12345678\nd,1\n' >sensitive.csv
printf 'q,s\n10000000000.5,x\n0.00000001,y\n3,x\n4,y\n' >quasi.csv
printf 'q,s\n5,x\n0.01,y\n3,x\n4,y\n' >declared.csv
refuses sensitive.csv --quasi q --sensitive s --model ke-anonymity:k=2,e=1 --method ke-permutation
refuses sensitive.csv --quasi q --sensitive s --model p-private --method '{name: distribution, target: uniform}'
refuses sensitive.csv --quasi q --sensitive s --model t-closeness:t=0.5,distance=numeric --method mondrian
for method in mondrian full-domain peel elastic optimal-partition; do
    refuses quasi.csv --quasi q --sensitive s --model k-anonymity:k=2 --method $method
done
cat >policy.yaml <<'P'
version: 1
input: {path: declared.csv}
attributes:
  - {name: q, role: quasi-identifier, type: decimal, domain: [0, 10000000000000000.5]}
  - {name: s, role: sensitive}
privacy: [{model: k-anonymity, k: 2}]
method: {name: mondrian}
P
refuses policy.yaml
sed -i 's/0000.5]/0000]/' policy.yaml
refuses policy.yaml
sed -i 's/00000]/0000]/' policy.yaml
covey anonymize policy.yaml -o release --quiet
covey verify release --original declared.csv >/dev/null && echo verified
fails 2 covey hierarchy build quasi.csv q '{interval: {from: 0, to: 100, widths: [5]}}' -o q.csv
fails 2 covey hierarchy build declared.csv q '{interval: {from: 0, to: 100000000000000000, widths: [5]}}' -o q.csv
sed 's/, type: decimal, domain: .*}/, type: text}/; s/declared/quasi/' policy.yaml >text.yaml
covey anonymize text.yaml -o as_text --quiet && echo as text
covey inspect quasi.csv | grep -o 'q *text'
