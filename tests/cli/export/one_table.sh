# A transformed release as one table: each row beside an entry of its group, dealt at random; made-up values stand alone.
covey generate census --rows 300 --seed 1 -o t.csv --quiet
covey anonymize t.csv --quasi age,gender --sensitive salary --others drop --model p-private --groups '{by: [gender]}' \
    --method '{name: distribution, target: uniform, fakes: 7}' --seed 1 -o r --quiet
for seed in 1 2; do
    covey export r --to "csv:x$seed" --seed "$seed" --quiet
    cmp <(cut -d, -f1-3 "x$seed/rows.csv" | grep -v ',,' | sort) <(sort r/quasi.csv) && echo "$seed: the rows of quasi.csv"
    cmp <(tail -n +2 "x$seed/rows.csv" | cut -d, -f1,4- | sort | uniq -c | awk '{ print $2 "," $1 }') <(tail -n +2 r/sensitive.csv | sort) &&
        echo "$seed: the entries of sensitive.csv"
done
head -n 1 x1/rows.csv
cmp -s x1/rows.csv x2/rows.csv || echo "another seed deals in another way"
echo "rows without anybody: $(grep -c '^[0-9]*,,,' x1/rows.csv)"
covey export r --to sqlite:x.db --quiet
sqlite3 x.db 'SELECT COUNT(*), COUNT(age), COUNT(salary_low) FROM rows'
echo "-- columns called like those of the values, and a text that is no missing cell"
printf 'a,S_low,s\nnull,1,1\nnull,2,1\nnull,3,1\nnull,4,2\n' >n.csv
covey anonymize n.csv --quasi a,S_low --sensitive s --model p-private \
    --method '{name: distribution, target: uniform, fakes: 2}' --seed 1 -o n --quiet
covey export n --to csv:y --seed 1 --quiet
head -n 1 y/rows.csv
cut -d, -f2 y/rows.csv | sort | uniq -c | awk '{ print $1, $2 }'
