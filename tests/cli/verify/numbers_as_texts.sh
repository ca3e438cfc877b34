# Insensitive numbers are published as they stand. A program that the table went through may write them otherwise: 10.50 as 10.5, and
# 100 beside it as 100.0.
printf 'age,paid,ill\n23,10.50,a\n24,100,b\n25,9.25,a\n26,,b\n27,10.5,a\n28,7,b\n' >people.csv
printf 'age,paid,ill\n23,10.5,a\n24,100.0,b\n25,9.25,a\n26,,b\n27,10.5,a\n28,7.0,b\n' >copy.csv
sed 's/9.25/9.24/' people.csv >other.csv
sed 's/9.25/some/' people.csv >texts.csv
for table in people copy; do
    covey anonymize $table.csv --quasi age --sensitive ill --insensitive paid --model k-anonymity:k=2 --model distinct-l-diversity:l=2 \
        --method mondrian --force --quiet -o release
    covey verify release --original people.csv --quiet
    covey verify release --original copy.csv --quiet
    fails 1 covey verify release --original other.csv --quiet
    fails 1 covey verify release --original texts.csv --quiet
done
echo "-- codes are not numbers"
printf 'age,code,ill\n23,007,a\n24,1,b\n25,2,a\n26,3,b\n' >people.csv
sed 's/007/7/' people.csv >copy.csv
covey anonymize people.csv --quasi age --sensitive ill --insensitive code --model k-anonymity:k=2 --model distinct-l-diversity:l=2 \
    --method mondrian --force --quiet -o release
covey verify release --original people.csv --quiet
fails 1 covey verify release --original copy.csv --quiet
