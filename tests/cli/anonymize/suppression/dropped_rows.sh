# Rows that are left out for a missing value show nowhere: not in ranges and domains, nor in labels of hierarchies over the data.
printf 'age,city,disease\n20,Bonn,flu\n30,Jena,cold\n40,Trier,flu\n123456,Zwickau,\n1,Aachen,\n' >people.csv
covey anonymize people.csv --quasi age,city --sensitive disease --hierarchy 'city={balanced: 2}' --missing-sensitive drop --model k-anonymity:k=3 \
    --method mondrian -o release | head -1
cat release/table.csv
! grep -r -e 123456 -e Zwickau -e Aachen release
covey verify release --original people.csv | tail -2
