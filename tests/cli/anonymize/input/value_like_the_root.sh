# A value that is called like the root of its hierarchy is a value wherever values are published as they are.
printf 'city,pay\n*,1\nUlm,2\n*,2\nUlm,1\n' >people.csv
try() {
    covey anonymize people.csv --quasi city --hierarchy 'city={balanced: 4}' --sensitive pay --method "$1" --model "$2" --quiet -o "$1" >summary
    covey verify "$1" --original people.csv | head -1
    cat "$1/hierarchies/city.csv"
}
try anatomy probabilistic-l-diversity:l=2
try ke-permutation ke-anonymity:k=2,e=1
try perturbation basic-beta-likeness:beta=1/2
try slicing sliced-l-diversity:l=2
try distribution p-private
try mondrian k-anonymity:k=2
