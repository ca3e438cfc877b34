# A value that is spelled like a mask of others: the mask's values are named in its place, by the names that the hierarchy's file gives them.
printf 'zip,illness\n1***,flu\n1010,flu\n1303,gout\n2000,flu\n2001,gout\n2100,flu\n' >t.csv
covey anonymize t.csv --quasi zip --sensitive illness --type zip=text --hierarchy 'zip={mask: 9}' --model k-anonymity:k=3 --method full-domain -o release --force --quiet
cut -d, -f1-4 release/table.csv
cat release/hierarchies/zip.csv
covey verify release --original t.csv --quiet && echo faithful
covey query release "SELECT COUNT(*) WHERE zip = '1010'" | grep COUNT
