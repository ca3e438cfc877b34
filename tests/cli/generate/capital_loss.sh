# Capital losses of every shape are the same everywhere, bit by bit: the sums are those of another program for the recipe.
losses() {
    covey generate capital-loss -n 2000 --seed 5 -o losses.csv --force --quiet "$@"
    md5sum <losses.csv
}
losses
head -n 4 losses.csv
losses --correlation 1
losses --correlation 0.8 --noise 12.5
losses --distribution uniform
losses --distribution uniform --correlation 0.5 --domain=-7,1000000
losses --distribution zipf:0.1
losses --distribution zipf:1.5 --correlation -1
losses --correlation -0.25 --noise 0 --domain 155,4356
# What stands in the domain alone; with full correlation and no noise the number follows from the age.
losses --distribution uniform --domain 7,7
cut -d, -f2 losses.csv | sort -u
losses --correlation 1 --noise 0 --domain 0,62
awk -F, 'NR > 1 && $2 != $1 - 17 { bad++ } END { print bad + 0 }' losses.csv
# Parameters that make no sense.
fails 2 covey generate capital-loss -n 10 -o a.csv --distribution poisson
fails 2 covey generate capital-loss -n 10 -o a.csv --distribution zipf:x
fails 2 covey generate capital-loss -n 10 -o a.csv --distribution zipf:1 --domain 0,99999999
fails 2 covey generate capital-loss -n 10 -o a.csv --domain 10
fails 2 covey generate capital-loss -n 10 -o a.csv --domain 10,9
fails 2 covey generate capital-loss -n 10 -o a.csv --domain 1.5,9
fails 2 covey generate capital-loss -n 10 -o a.csv --correlation 2
fails 2 covey generate capital-loss -n 10 -o a.csv --correlation 1/3333333
fails 2 covey generate capital-loss -n 10 -o a.csv --noise -1
fails 2 covey generate capital-loss -n 10 -o a.csv --noise 1000000
fails 2 covey generate capital-loss -n 10 -o a.csv --noise 3 --distribution uniform
fails 2 covey generate census -n 10 -o a.csv --noise 3
ls
