# Cells that a spreadsheet would run: said when they are seen, and made harmless on request in an export, never in a release.
cat >people.csv <<'END'
age,note,=name,gain
20,"=HYPERLINK(""http://x"")",a,-5
21,+1+1,a,+7.5
30,@SUM(A1),b,-1e-7
31,-cmd|' /C calc'!A0,b,-.5
22,plain,a,3
33,'=1,b,-
END
printf '40,"\tx",a,1\n41,"\rx",b,2\n' >>people.csv
covey inspect people.csv | grep -c Beware
covey inspect people.csv --json | grep formulas
covey anonymize people.csv --quasi age --others insensitive --model k-anonymity:k=2 --method mondrian --seed 1 -o release --quiet
covey anonymize people.csv --quasi age --others insensitive --model k-anonymity:k=2 --method mondrian --seed 1 -o release --force | head -n 1
covey export release --to csv:plain
cmp plain/table.csv release/table.csv
covey export release --to csv:safe --safe-cells
sort safe/table.csv | tr '\t\r' '<>'
diff plain/table.csv safe/table.csv | grep -c '^>'
fails 2 covey export release --to jsonl:lines --safe-cells
covey export release --to jsonl:lines --quiet
covey verify release --original people.csv --quiet
