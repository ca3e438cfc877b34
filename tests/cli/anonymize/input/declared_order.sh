# A hierarchy over a declared order is the policy's: it is published whole, and the original can be compared. An order of values that
# labels hide is not told.
printf 'pain,city,disease\nlow,Ulm,flu\nmid,Bonn,cold\nhigh,Jena,flu\nlow,Trier,gout\n' >people.csv
covey anonymize people.csv --quasi pain,city --sensitive disease --order 'pain=[none, low, mid, high]' --hierarchy 'pain={balanced: 2}' \
    --hierarchy 'city={balanced: 2}' --model k-anonymity:k=2 --method mondrian -o release | head -1
cat release/table.csv release/hierarchies/pain.csv release/hierarchies/city.csv
grep -c '"order"' release/manifest.json || true
covey verify release --original people.csv | tail -2
