# In parts, too: the row with hiv is suppressed, and what it earns or that it does not say shows in no type, label or figure, nor its age.
people() {
    echo age,city,pay,illness
    for age in $(seq 20 39); do
        printf '%s,c%s,%s,%s\n' $age $((age % 4)) $((900 + age)) i$((age % 3))
    done
    echo "$1,hiv"
}
anonymize() {
    covey plan $1.csv --quasi age --sensitive illness --insensitive pay,city --unique pay=allowed --hierarchy 'age={interval: {from: 0, to: 99, widths: [5, 20]}}' --model alpha-k-anonymity:alpha=0.01,k=3,value=hiv --method mondrian \
        --suppression 0.2 --rows-per-part 12 -o $1.recipe --quiet
    for part in 1 2; do covey part $1.recipe $part --seed 7 -o $1.$part --quiet; done
    covey merge $1.recipe $1.1 $1.2 --seed 7 -o $1 --quiet
}
people 30,c2,1000 >one.csv
people 30.5,c9, >two.csv
for table in one two; do anonymize $table; done
grep -e published_rows -e suppressed_rows -e parts one/manifest.json
diff -r one two && head -3 one/table.csv
covey verify one --original one.csv --quiet && covey verify two --original two.csv --quiet && echo faithful
