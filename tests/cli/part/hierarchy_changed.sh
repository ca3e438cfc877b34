# The recipe does not hold the hierarchy file, but knows what it was.
printf 'zip,disease\n1001,flu\n1002,gout\n2001,cold\n2002,flu\n' >people.csv
printf '1001;10**;*\n1002;10**;*\n2001;20**;*\n2002;20**;*\n' >zip.csv
covey plan people.csv --quasi zip --type zip=text --hierarchy zip=zip.csv --sensitive disease --model k-anonymity:k=2 --method mondrian -o recipe --quiet 2>/dev/null
covey part recipe 1 -o part
printf '1001;a;*\n1002;b;*\n2001;a;*\n2002;b;*\n' >zip.csv
fails 2 covey part recipe 1 -o other
