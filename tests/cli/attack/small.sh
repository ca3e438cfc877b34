# Two classes of four rows; flu is a quarter of the first and a half of the second, three eighths of all.
printf 'age,disease\n20,flu\n20,cold\n30,cold\n30,gout\n40,cold\n40,flu\n50,gout\n50,flu\n' >people.csv
covey anonymize people.csv --quasi age --sensitive disease --model k-anonymity:k=4 --model basic-beta-likeness:beta=1 --method mondrian -o release \
    --quiet >summary
covey attack release --original people.csv --attack skewness
echo "-- several"
covey attack release --original people.csv --attack skewness,re-identification homogeneity | sed -n 3,7p
echo "-- for programs"
covey attack release --original people.csv --attack homogeneity --json
echo "-- a household of all, and weights"
{
    echo 'age,disease,house,weight'
    i=0
    while IFS= read -r line; do
        i=$((i + 1))
        [ "$i" = 1 ] || echo "$line,$((i / 6)),25"
    done <people.csv
} >more.csv
covey attack release --original more.csv --attack re-identification --entity house --weight weight
echo "-- suppressed rows count in what the original teaches"
printf 'age,disease\n20,flu\n20,cold\n20,gout\n20,flu\n90,cold\n91,cold\n92,cold\n' >old.csv
covey anonymize old.csv --quasi age --sensitive disease --model k-anonymity:k=4 --method peel --suppression 0.5 -o few --quiet >summary
covey attack few --original old.csv --attack naive-bayes | sed -n 1,5p
echo "-- not to be had"
fails 2 covey attack release --attack skewnes
fails 2 covey attack release --attack ,
fails 2 covey attack release --original more.csv --delta-max 0.5
fails 2 covey attack release --original more.csv --attack re-identification --entity hause
fails 2 covey attack release --original more.csv --attack re-identification --weight disease
fails 2 covey attack release other
fails 2 covey attack nothing
sed -i s/50,flu/50,gout/ people.csv
fails 2 covey attack release --original people.csv
echo "-- changed after it was written"
sed -i '$s/.*/2,"[40, 50]",cold/' release/table.csv
fails 2 covey attack release
echo "-- of beliefs that are equal the first value counts, however their terms were rounded"
printf 'town,kind,disease\n1,q,a\n2,p,b\n3,p,c\n4,p,c\n5,r,c\n6,r,b\n7,r,c\n8,p,b\n9,r,a\n' >ties.csv
covey anonymize ties.csv --quasi town,kind --sensitive disease --model probabilistic-l-diversity:l=2 --method anatomy --seed 1 -o ties --quiet
covey attack ties --original ties.csv --attack definetti --json | grep figure_exact
