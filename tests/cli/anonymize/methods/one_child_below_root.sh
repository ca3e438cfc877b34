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
