# What is true or false is compared by value. The labels of a hierarchy, in which the words can occur as well, are no writing of it.
for i in 1 2 3 4 5 6 7 8; do
    echo "$([ $i = 1 ] && echo True || echo False),$i,$([ $((i % 2)) = 0 ] && echo a || echo b)"
done | sed '1i smokes,age,ill' >people.csv
sed 's/True/TRUE/;s/False/FALSE/' people.csv >copy.csv
sed '1,3s/False/True/' people.csv >other.csv
# prove HIERARCHY
prove() {
    covey anonymize people.csv --quasi smokes,age --sensitive ill --type smokes=text --hierarchy "smokes=$1" --model k-anonymity:k=2 \
        --method full-domain -o release --force --quiet 2>messages
    cut -d, -f2 release/table.csv | sort -u
    covey verify release --original people.csv --quiet
    covey verify release --original copy.csv --quiet
}
prove '{lines: [["True", "true or false"], ["False", "true or false"]]}'
prove '{lines: [["True", "*"], ["False", "*"]]}'
prove '{balanced: 2}'
covey anonymize people.csv --quasi age --sensitive ill --insensitive smokes --unique smokes=allowed --model k-anonymity:k=2 \
    --method mondrian -o release --force --quiet
covey verify release --original copy.csv --quiet
fails 1 covey verify release --original other.csv --quiet
