# Figures that were measured on the synthetic census, 20,000 rows, within what sampling allows: shares of attack and prior, of the release and
# of the original, and what two releases tell together.
covey generate census --rows 20000 --seed 1 -o census.csv --quiet
for method in burel mondrian elastic; do
    covey anonymize census.csv --quasi age,gender,education --sensitive salary --others drop --model enhanced-beta-likeness:beta=4 --method "$method" \
        --seed 1 -o "$method" --quiet >summary
done
# figure METHOD ATTACK FIELD LOW HIGH [OPTION...]
figure() {
    local method=$1 attack=$2 field=$3 low=$4 high=$5 value
    shift 5
    value=$(covey attack "$method" --original census.csv --attack "$attack" --json "$@" | sed -n "s/^ *\"$field\": \([0-9.e-]*\),*$/\1/p" | head -1)
    awk -v v="$value" -v l="$low" -v h="$high" 'BEGIN { exit !(v >= l && v <= h) }' || echo "$method, $attack: $field is $value, not between $low and $high"
}
figure burel skewness figure 3.2 3.7
figure mondrian skewness figure 4.8 5
figure elastic skewness figure 4.9 5
figure burel homogeneity figure 0.055 0.072
figure mondrian homogeneity figure 0.15 0.195
figure elastic homogeneity figure 0.17 0.195
figure burel similarity figure 1.6 2.1 --window 10
figure mondrian similarity figure 2.5 3.4 --window 10
figure elastic similarity figure 3.2 4.2 --window 10
figure burel naive-bayes prior 0.0483 0.0485
figure burel naive-bayes ceiling 0.0732 0.0734
figure burel naive-bayes figure 0.044 0.052
figure mondrian naive-bayes figure 0.0505 0.0525
figure mondrian naive-bayes uniform_share 0.0545 0.0575
figure elastic naive-bayes figure 0.05 0.06
figure elastic composition mean 0.045 0.055 --with mondrian
figure elastic composition figure 0.3 0.4 --with mondrian
figure burel composition mean 0.045 0.052 --with elastic
echo done
