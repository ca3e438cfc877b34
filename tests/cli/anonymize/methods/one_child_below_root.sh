# Missing cells stand beside the only node below the root: a class without them is published by that node where the level is the root.
printf 'zip,age,ill\n,20,flu\nb,20,flu\nq,23,gout\nq,22,gout\nb,20,gout\nb,22,flu\n' >people.csv
for lines in '[[q, A, all], [b, A, all]]' '[[q, A, N, all], [b, A, N, all]]' '[["*", A, all], [b, A, all], [q, A, all]]'; do
    for metric in loss height prec discernibility entropy cavg; do
        covey anonymize people.csv --quasi zip,age --sensitive ill --hierarchy "zip={lines: $lines}" --model k-anonymity:k=3 \
            --method full-domain --metric $metric --force --quiet -o release
        covey verify release --original people.csv --quiet
    done
    cut -d, -f1,2 release/table.csv | uniq -c
done
sed -i 's/,b,/,100,/; s/^b/101/; s/^q/102/' people.csv
for metric in loss entropy; do
    covey anonymize people.csv --quasi zip,age --sensitive ill --type zip=text --hierarchy 'zip={mask: 3}' --model k-anonymity:k=3 \
        --method full-domain --metric $metric --force --quiet -o release
    covey verify release --original people.csv --quiet
done
# Cuts, whose leaves no file tells: below the last level <25 is not the label of missing values, which is *.
printf 'zip,age,ill\nc,21,y\nb,,y\nq,20,y\nr,20,x\nc,21,x\nq,,x\nb,,x\n' >people.csv
covey anonymize people.csv --quasi zip,age --sensitive ill --hierarchy 'zip={lines: [[b, A, all], [r, A, all], [c, B, all], [q, B, all]]}' \
    --hierarchy 'age={cuts: [[21, 25], [25]]}' --model k-anonymity:k=3 --method full-domain --metric entropy --force --quiet -o release
covey verify release --original people.csv --quiet
sed 's/"value": 17.6/"value": 17.7/' release/manifest.json >changed && cp changed release/manifest.json
covey verify release --original people.csv --quiet || echo "said: $?"
sed 's/"value": 17.7/"value": 17.6/; s/"age": 2/"age": 9/' release/manifest.json >changed && cp changed release/manifest.json
covey verify release --original people.csv | grep manifest
