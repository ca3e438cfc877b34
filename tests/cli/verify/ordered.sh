# How far apart values of a text stand goes by its declared order, which may list values that no row has.
{
    echo grade,ill
    for i in 1 2 3 4; do printf 'low,flu\nmid,cold\nhigh,flu\ntop,cold\ntop,flu\n'; done
} >people.csv
for order in '[low, mid, high, top]' '[mid, low, top, high]' '[low, never, mid, high, top]'; do
    covey anonymize people.csv --quasi grade --sensitive ill --order "grade=$order" --model k-anonymity:k=7 \
        --method optimal-partition:cost=kl --force --quiet -o release
    covey verify release --quiet
    covey verify release --original people.csv --quiet
done
