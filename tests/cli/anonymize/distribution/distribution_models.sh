# Models beside p-private judge the target that is used, also one of so many values that no table of below 2^32 rows has its probabilities.
covey generate capital-loss --rows 400 --seed 1 -o t.csv --quiet
head -1 t.csv
judge() {
    echo "== $1"
    rm -rf release
    covey anonymize t.csv --quasi age --sensitive capital-loss --others drop --method distribution --model p-private --model "$1" -o release --quiet \
        >/dev/null || echo "exit $?"
    [ ! -e release ] || covey verify release --original t.csv | grep -v p-private | sed -n '3,4p'
}
judge entropy-l-diversity:l=100
judge entropy-l-diversity:l=1000
judge recursive-cl-diversity:c=0.05,l=3
judge recursive-cl-diversity:c=0.01,l=3
judge t-closeness:t=0.2,distance=kl
judge t-closeness:t=0.001,distance=kl
judge t-closeness:t=0.2,distance=js
judge t-closeness:t=0.001,distance=js
judge t-closeness:t=0.2,distance=js-smoothed
judge t-closeness:t=0.001,distance=js-smoothed
judge 'basic-beta-likeness:beta=9,proximity={width: 200},group-beta=3'
judge 'basic-beta-likeness:beta=9,proximity={width: 200},group-beta=0.1'
judge 'enhanced-beta-likeness:beta=9,proximity={window: 5}'
judge delta-disclosure:delta=3
judge delta-disclosure:delta=0.1
# What compares with the whole table is not proven from the files alone, and nobody says so.
judge t-closeness:t=0.2
covey verify release | tail -1
covey verify release --original t.csv | tail -1
