# full-domain: lines that end early repeat the root, and their values are everything while others are not; figures and levels are judged so.
# Its rows are told from those of the values beside it, with suppressed rows as well.
for root in '*' Any; do
    printf 'd;P;*\na;P;*\nX;*;*\n' | sed "s/\*/$root/g" >tree.csv
    printf 'x,s\nX,u\nX,v\nX,w\na,u\na,v\na,w\nd,u\n' >people.csv
    covey anonymize people.csv --quasi x --sensitive s --hierarchy x=tree.csv --model k-anonymity:k=3 --method full-domain -o release --force --quiet
    cut -d, -f1,2 release/table.csv | sort | uniq -c
    covey verify release --original people.csv --quiet && echo faithful
    printf 'b;*;*\nz;a;*\na;*;*\ne;*;*\nc;c;*\n' | sed "s/\*/$root/g" >tree.csv
    printf 'x,s\nb,u\nb,v\nb,w\ne,u\ne,v\ne,w\nc,u\nz,u\nz,v\nz,w\nz,u\nz,v\nz,w\n' >people.csv
    for boxes in tight cut; do
        covey anonymize people.csv --quasi x --sensitive s --hierarchy x=tree.csv --model k-anonymity:k=5 --method full-domain:publish-boxes=$boxes --suppression 0.1 -o release --force --quiet
        cut -d, -f1,2 release/table.csv | sort | uniq -c
        covey verify release --original people.csv --quiet && echo faithful
    done
done
