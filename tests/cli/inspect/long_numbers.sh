# Integers of 19 digits are text to a guess, which says why; declared integers they are an error that names the cell.
printf 'n,key,s\n12,1234567890123456789,a\n13,1234567890123456788,b\n14,5,a\n15,6,b\n' >t.csv
covey inspect t.csv --quiet | grep 'digits'
covey inspect t.csv --json | grep -E '"(name|type|has_long_numbers|suspect)"'
covey inspect t.csv --policy p.yaml --quiet >/dev/null
covey anonymize t.csv --quasi n,key --sensitive s --model distinct-l-diversity:l=2 --method mondrian -o r >/dev/null
fails 2 covey anonymize t.csv --quasi n,key --sensitive s --type key=integer --model distinct-l-diversity:l=2 --method mondrian -o r2 --json
fails 2 covey anonymize t.csv --quasi n,key --sensitive s --type key=decimal --model distinct-l-diversity:l=2 --method mondrian -o r2
covey anonymize t.csv --quasi n,key --sensitive s --type key=text --model distinct-l-diversity:l=2 --method mondrian -o r3 >/dev/null
