# A domain may have more places behind the point than the values: losses refer to it, values stay as they are written, and whoever opens the release has the same scale.
cat >t.csv <<'T'
age,pay,s
20,1.5,a
30,2.5,b
40,1.5,a
60,2.5,b
T
covey anonymize t.csv --quasi age,pay --sensitive s --model k-anonymity:k=2 --method mondrian --domain 'age=[0.5, 100.5]' --domain 'pay=[1.00, 3]' -o r --quiet
cat r/table.csv
grep -A 3 '"domain"' r/manifest.json | tr -d ' \n'
echo
covey verify r --original t.csv | tail -1
covey measure r --original t.csv --json | grep -E '"(ail|lower_bound)"'
covey query r --json 'SELECT COUNT(*) WHERE age <= 30.25' | tr -d ' \n'
echo
covey report r --original t.csv -o r.html --quiet && grep -c '0.5' r.html >/dev/null && echo report
printf 'q,s\n5,x\n123456789012345678,y\n' >large.csv
fails 2 covey anonymize large.csv --quasi q --sensitive s --model k-anonymity:k=2 --method mondrian --domain 'q=[0, 200000000000000000.5]' -o r2 --quiet
fails 2 covey anonymize large.csv --quasi q --sensitive s --model k-anonymity:k=2 --method mondrian --domain 'q=[0.5, 200000000000000000]' -o r2 --quiet
fails 2 covey anonymize t.csv --quasi age,pay --sensitive s --model k-anonymity:k=2 --method mondrian --domain 'age=[20.5, 100]' -o r2 --quiet
fails 2 covey anonymize t.csv --quasi age,pay --sensitive s --model k-anonymity:k=2 --method mondrian --domain 'age=[2020-01-01, 2020-12-31]' -o r2 --quiet
covey anonymize t.csv --quasi age,pay --sensitive s --model k-anonymity:k=2 --method mondrian --domain 'age=[0, 100]' --hierarchy 'age={balanced: 2}' -o r3 --quiet
