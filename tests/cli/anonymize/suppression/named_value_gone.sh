# alpha-k-anonymity may name a value that only suppressed rows have: of those that are published it has no share.
cat >people.csv <<'END'
age,illness
20,flu
20,flu
20,flu
31,cold
31,gout
32,cold
32,acne
END
for method in optimal-partition mondrian peel full-domain; do
    echo "-- $method"
    covey anonymize people.csv --quasi age --sensitive illness --model alpha-k-anonymity:alpha=1/3,k=2,value=flu --method "$method" --suppression 0.5 --seed 1 --quiet -o "$method" || continue
    covey verify "$method" --original people.csv --quiet && echo verified
    grep -c flu "$method/table.csv" || true
done
echo "-- a slip is one all the same"
covey anonymize people.csv --quasi age --sensitive illness --model alpha-k-anonymity:alpha=1/3,k=2,value=fluu --method mondrian --quiet -o slip
