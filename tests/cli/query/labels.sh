# Labels that no cell shows, and what keys of GROUP BY are.
printf 'zip,pay,ill\n10001,1,a\n10002,2,b\n10003,3,a\n10004,4,b\n10011,5,a\n10012,6,b\n20001,7,a\n20002,8,b\n20003,9,a\n' >zips.csv
covey anonymize zips.csv --quasi zip,pay --sensitive ill --type zip=text --hierarchy 'zip={mask: 5}' --model k-anonymity:k=3 --method mondrian -o masked --quiet >/dev/null 2>&1
cut -d, -f2 masked/table.csv | sort -u
for condition in "zip = '100**'" "zip = '10***'" "zip <> '1****'" "zip IN ('10001', '1001*')" "NOT zip = '2000*'" "zip = '*'" "zip = '*****'" "zip = '10001'"; do
    echo "-- $condition"
    covey query masked "SELECT COUNT(*) WHERE $condition" --json | grep COUNT
done
echo "-- keys"
covey query masked 'SELECT COUNT(*) GROUP BY zip'
covey query masked "SELECT COUNT(*) WHERE zip = '100**' GROUP BY zip" --json
echo "-- an order is not asked of labels"
fails 2 covey query masked "SELECT COUNT(*) WHERE zip < '100**'"
echo "-- runs of texts, whichever the tree has"
printf 'word,ill\na,x\nb,y\nc,x\nd,y\nf,x\nf..g,y\ng,x\nz,y\n' >words.csv
covey anonymize words.csv --quasi word --sensitive ill --hierarchy 'word={balanced: 2}' --model k-anonymity:k=4 --method mondrian -o words --quiet >/dev/null 2>&1
covey query words "SELECT COUNT(*) WHERE word = 'b..f'" --json | grep COUNT
covey query words "SELECT COUNT(*) WHERE word = 'a..e'" --json | grep COUNT
fails 2 covey query words "SELECT COUNT(*) WHERE word = 'a..f..g'"
covey query words "SELECT COUNT(*) WHERE word BETWEEN 'a' AND 'f'" --json | grep COUNT
echo "-- no run begins with an empty text where that means a missing value: these are values"
printf 'word,ill\n...,x\n#,y\n!,x\n+,y\n../x,x\nz,y\n' >words.csv
for null in "" none; do
    covey anonymize words.csv --quasi word --sensitive ill --hierarchy 'word={balanced: 2}' --null "$null" --model probabilistic-l-diversity:l=2 --method anatomy --seed 1 -o words --force --quiet >/dev/null 2>&1
    covey query words "SELECT COUNT(*) WHERE word IN ('...', '../x')" --json | grep COUNT
done
echo "-- labels of a file that no cell shows, where the data added values"
printf 'doctor;doctors;medical;*\nnurse;carers;medical;*\nteacher;school;public;*\nclerk;office;public;*\n' >jobs.csv
printf 'job,ill\ndoctor,x\nnurse,y\nteacher,x\nclerk,y\nspy,x\nspy,y\n' >people.csv
covey anonymize people.csv --quasi job --sensitive ill --hierarchy 'job={file: jobs.csv, missing-leaf: root}' --model k-anonymity:k=2 --method mondrian -o jobs --quiet >/dev/null 2>&1
cut -d, -f2 jobs/table.csv | sort -u
for label in medical public carers spy '*' school; do
    covey query jobs "SELECT COUNT(*) WHERE job = '$label'" --json | grep COUNT
done
echo "-- the only value of a column is a value, although its leaf is the root, too"
printf 'day,ill\n2020-01-01,x\n2020-01-01,y\n' >days.csv
covey anonymize days.csv --quasi day --sensitive ill --hierarchy 'day={lines: [[2020-01-01, 2020, "*"]]}' --model k-anonymity:k=2 --method mondrian -o days --quiet >/dev/null 2>&1
for condition in "day <= '2020-01-01'" "day > '2020-01-01'" "day BETWEEN '2020-01-01' AND '2020-12-31'" "day = '2020-01-01'" "day = '2020'" "day = '*'"; do
    covey query days "SELECT COUNT(*) WHERE $condition" --json | grep COUNT
done
fails 2 covey query days "SELECT COUNT(*) WHERE day <= '*'"
echo "-- a file with one label below the root: it means what the file lists, the root also what the data added"
printf 'word,ill\na,x\nb,y\nc,x\na,y\n' >some.csv
for lines in '[[a, known, "*"], [b, known, "*"]]' '[[a, known, "*"]]'; do
    covey anonymize some.csv --quasi word --sensitive ill --hierarchy "word={lines: $lines, missing-leaf: root}" --model k-anonymity:k=4 --method mondrian -o some --force --quiet >/dev/null 2>&1
    for label in a known '*'; do
        covey query some "SELECT COUNT(*) WHERE word = '$label'" --json | grep COUNT
    done
done
