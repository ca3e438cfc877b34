# Rows that look the same are of persons who do not: the order of the input does not say which of them go where.
printf '%s\n' p,a,b,c,s u1,1,1,x,i u35,1,1,x,i u14,0,1,z,k u1,1,1,x,i u16,1,4,y,l >one.csv
printf '%s\n' p,a,b,c,s u1,1,1,x,i u14,0,1,z,k u1,1,1,x,i u35,1,1,x,i u16,1,4,y,l >other.csv
for table in one other; do
    covey anonymize $table.csv --entity p --quasi a,b,c --sensitive s --model k-anonymity:k=2,units=count \
        --model probabilistic-l-diversity:l=3/2 --method peel --seed 1 --quiet -o $table
done
cmp one/table.csv other/table.csv && echo same
