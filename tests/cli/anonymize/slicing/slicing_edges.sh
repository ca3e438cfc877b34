# Tables and columns at the edge: one clear line, the right exit code, and nothing left behind.
slice() {
    covey anonymize "$@" --quasi a,b --sensitive s --method slicing -o release --quiet
}
printf 'a,b,s\n1,x,p\n1,y,q\n2,x,p\n2,y,q\n' >people.csv
printf '' >empty.csv
printf 'a,b,s\n' >header.csv
printf 'a,b,s\n1,x,p\n' >one.csv
printf 'a,b,s\n1,x,p\n2,y,p\n' >constant.csv
printf 'a,b,s\n1,x,p\n1,y\n' >ragged.csv
printf 'a,b,s\n1,x\000,p\n' >nul.csv
printf 'a,b,s\n1,\377,p\n' >latin.csv
for table in empty header ragged nul latin; do
    fails 2 slice $table.csv --model sliced-l-diversity:l=2
done
for table in one constant; do
    fails 1 slice $table.csv --model sliced-l-diversity:l=2
done
fails 1 slice people.csv --model sliced-l-diversity:l=3
fails 2 slice people.csv --model sliced-l-diversity:l=0.5
fails 2 slice people.csv --model sliced-l-diversity:l=many
for columns in '[[a], [b]]' '[[a], [s]]' '[]' '[[], [a, b, s]]' '[[a, b], [b, s], [a, s]]'; do
    fails 2 slice people.csv --model sliced-l-diversity:l=2 --columns "$columns"
done
ls
echo "-- allowed: one row at l = 1, rows that are alike, a column within another"
slice one.csv --model sliced-l-diversity:l=1
rm -r release
printf 'a,b,s\n1,x,p\n1,x,p\n1,x,q\n1,x,q\n' >alike.csv
slice alike.csv --model sliced-l-diversity:l=2
tail -n +2 release/column-2.csv
rm -r release
covey anonymize people.csv --quasi a,b --sensitive s --method slicing --model sliced-l-diversity:l=2 --columns '[[a, b], [b], [s]]' -o release >summary
ls release
echo "-- more attributes than cuts can look at"
awk 'BEGIN { for (row = 0; row < 3; row++) for (i = 1; i <= 258; i++) printf "%s%s", row ? row : i < 258 ? "c" i : "s", i < 258 ? "," : "\n" }' >wide.csv
fails 2 covey anonymize wide.csv --quasi "$(seq -s , -f c%g 257)" --sensitive s --model sliced-l-diversity:l=2 --method slicing -o wide
