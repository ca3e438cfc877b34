# A value that only a suppressed row has can be spelled like a label that is published: the release, whose hierarchy never had
# it, is an honest image nevertheless.
table() {
    echo x,y,s
    for x in $1; do
        printf "$x,%s\n" 1,u 1,v 2,u 2,v
    done
    echo "$2,9,u"
}
# prove HIERARCHY K LABEL: the label is published and the release faithful.
prove() {
    for method in full-domain peel; do
        covey anonymize people.csv --quasi x,y --sensitive s --type x=text --type y=text --hierarchy "x=$1" --suppression 0.1 \
            --model "k-anonymity:k=$2" --method $method -o release --force --quiet >summary 2>&1
        cut -d, -f2 release/table.csv | grep -c "^$3\$"
        covey verify release --original people.csv --quiet
    done
}
table 'a b c d e f g' a..c >people.csv
prove '{balanced: 2}' 5 'a\.\.c'
table '10 11 20 21' '1*' >people.csv
prove '{mask: 1}' 3 '1\*'
# What is not true of the rows is not taken for it.
sed -i 's/^10,/30,/' people.csv
fails 1 covey verify release --original people.csv --quiet
