# A promise about ranges holds for the class of both persons, though not where a method sees each at one point; what rows alone break says what could be kept.
printf 'p,a,s\nu1,0,x\nu1,5,y\nu2,0,y\nu2,5,x\n' >people.csv
for method in mondrian elastic peel full-domain; do
    covey anonymize people.csv --entity p --quasi a --sensitive s --method $method --model k-anonymity:k=2 \
        --model min-length:attribute=a,length=3 -o $method --quiet
    sort $method/table.csv | head -n 2
done
fails 1 covey anonymize people.csv --entity p --quasi a --sensitive s --method elastic --model distinct-l-diversity:l=3,units=rows -o none --quiet
fails 1 covey anonymize people.csv --entity p --quasi a --sensitive s --method peel --model distinct-l-diversity:l=2 --min-size 10 -o none --quiet
