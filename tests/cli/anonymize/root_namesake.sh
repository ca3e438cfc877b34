# An inner node that is called like the root: missing values, which lie under the root, are not taken for the node's.
printf 'a;*;{x};*\nb;*;{x};*\nc;q;{y};*\nd;q;{y};*\n' >tree.csv
printf 'x,s\na,u\nb,v\nc,u\nd,v\n,u\n,v\na,v\n' >people.csv
for method in mondrian full-domain peel elastic; do
    covey anonymize people.csv --quasi x --sensitive s --hierarchy x=tree.csv --model k-anonymity:k=2 --method $method -o release --force --quiet >summary 2>&1
    covey verify release --original people.csv --quiet
done
cat release/hierarchies/x.csv
