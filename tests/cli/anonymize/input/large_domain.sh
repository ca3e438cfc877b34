# Sets of a few values of an attribute with many: sorted, complete, and those of the rows.
awk 'BEGIN { print "place,a,b,c,d,disease"
             for (i = 0; i < 3000; i++) printf "p%04d,%d,%d,%d,%d,d%d\n", (i * 7919) % 3001, i * 31 % 97, i * 17 % 89, i * 13 % 83, i * 11 % 79, i % 7 }' >people.csv
covey anonymize people.csv --quasi place,a,b,c,d --sensitive disease --model k-anonymity:k=5 --method mondrian -o release --quiet
covey verify release --original people.csv >/dev/null && echo verified
head -n 2 release/table.csv
awk -F'[{}]' 'NR > 1 { n = split($2, v, ", "); sets += n > 1
                       for (i = 2; i <= n; i++) { bad += v[i - 1] >= v[i] } if (substr(v[n], 2) - substr(v[1], 2) > 64 * (n + 1)) sparse++ }
              END { print (sets > 0), (sparse > 0), bad + 0, "sets out of order" }' release/table.csv
