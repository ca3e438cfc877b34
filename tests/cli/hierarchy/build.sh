# Every kind that a policy knows, as a file.
cat >people.csv <<'END'
age,income,zip,born,city
20,10.5,47601,2001-03-05,Aachen
21,30,47602,2001-04-01,Bonn
35,55.25,47699,1999-12-31,Celle
,99,48000,1990-01-01,Bonn
END
covey hierarchy build people.csv age '{interval: {from: 20, to: 39, widths: [5, 10]}}' -o age.csv
head -n 3 age.csv
covey hierarchy build people.csv age '{balanced: 2}' -o balanced.csv
cat balanced.csv
covey hierarchy build people.csv income '{cuts: [[20, 40, 60], [40]]}' -o income.csv --quiet
cat income.csv
covey hierarchy build people.csv zip '{mask: 3}' -o zip.csv --quiet
cat zip.csv
covey hierarchy build people.csv born '{date: [month, year, decade]}' -o born.csv --quiet
cat born.csv
covey hierarchy build people.csv city '{balanced: 2}' --order '[Celle, Bonn, Aachen]' -o city.csv --quiet
cat city.csv
# What was built can be used.
covey hierarchy check age.csv people.csv age --json
# An existing file is replaced only by force.
fails 2 covey hierarchy build people.csv zip '{mask: 1}' -o zip.csv
covey hierarchy build people.csv zip '{mask: 1}' --type text -o zip.csv --force
