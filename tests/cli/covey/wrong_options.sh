fails 2 covey models --jsn
fails 2 covey models --xyzzy
fails 2 covey models -x
fails 2 covey models --threads
fails 2 covey models --json=yes
fails 2 covey models --threads 0
fails 2 covey models --threads=5000
fails 2 covey models --threads 2x
fails 2 covey models --seed -1
fails 2 covey models --seed 18446744073709551616
fails 2 covey models --seed 1.5
fails 2 covey models --seed ' 7'
fails 2 covey models --threads 99999999999999999999
fails 2 covey models --threads -99999999999999999999
covey models --seed 18446744073709551615 >/dev/null
# Numbers that are too large are that, and no other kind of wrong.
printf 'a,b\n1,2\n3,4\n' >t.csv
for k in 99999999999999999999 -99999999999999999999 0000000000000000000000; do
    fails 2 covey anonymize t.csv --quasi a --others drop --model k-anonymity:k=$k --method mondrian -o r
done
fails 2 covey anonymize t.csv --quasi a --others drop --model k-anonymity:k=2 --method mondrian -o r --min-size 99999999999999999999
fails 2 covey anonymize t.csv --quasi a --others drop --model k-anonymity:k=2 --method mondrian -o r --memory-limit 99999999999999999999
fails 2 covey anonymize t.csv --quasi a --others drop --model k-anonymity:k=2 --method mondrian -o r --memory-limit 99999999T
fails 2 covey hierarchy build t.csv a '{balanced: 99999999999999999999}' -o h.csv
fails 2 covey generate census -n 99999999999999999999 -o x.csv
fails 2 covey measure r --original t.csv --queries 99999999999999999999
for seed in 9223372036854775808 18446744073709551615; do
    covey generate normal2d -n 3 --seed $seed -o $seed.csv
    covey anonymize t.csv --quasi a --sensitive b --model k-anonymity:k=2 --method mondrian --seed $seed -o $seed --quiet 2>/dev/null
    grep seeded $seed/manifest.json
    covey attack $seed --original t.csv --seed $seed --json >/dev/null
done
cat 9223372036854775808.csv
fails 1 cmp -s 9223372036854775808.csv 18446744073709551615.csv
# A part of a name is not the name, even where it is the only one that begins so.
fails 2 covey models --thr 2
fails 2 covey models --quie
fails 2 covey formats csv
# Behind -- everything is an operand.
fails 2 covey models -- --json
