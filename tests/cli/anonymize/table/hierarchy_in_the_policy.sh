# The lines of a hierarchy in the policy give the release that the file of the same lines gives.
printf 'zip,s\n11,u\n12,v\n13,u\n14,v\n' >people.csv
printf '11;1*;*\n12;1*;*\n13;1x;*\n14;1x;*\n' >zip.csv
printf 'version: 1\nattributes:\n  - {name: zip, role: quasi-identifier, hierarchy: {lines: [[11, "1*", "*"],\n    [12, "1*", "*"], [13, 1x, "*"], [14, 1x, "*"]]}}\n  - {name: s, role: sensitive}\nprivacy: [{model: k-anonymity, k: 2}]\n' >policy.yaml
covey anonymize policy.yaml --input people.csv --method mondrian --seed 1 -o lines --quiet
covey anonymize people.csv --quasi zip --sensitive s --hierarchy zip=zip.csv --model k-anonymity:k=2 --method mondrian --seed 1 -o file --quiet
diff -r lines file && cat lines/table.csv lines/hierarchies/zip.csv
sed -i 's/\[14/[13/' policy.yaml
fails 2 covey anonymize policy.yaml --input people.csv -o more
