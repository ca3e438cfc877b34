# Cut points with digits keep a column decimal, though only suppressed rows need any: the original's values are read as such.
printf 'age,illness\n199.0,flu\n199.0,gout\n199.0,flu\n199.0,gout\n199.1,flu\n199.2,flu\n' >t.csv
for hierarchy in '{cuts: [[199, 199.1, 199.2], [199.2]]}' '{interval: {from: 198.5, to: 199.5, widths: [0.25, 0.5]}}'; do
    covey anonymize t.csv --quasi age --sensitive illness --hierarchy "age=$hierarchy" --model k-anonymity:k=3 --method full-domain --suppression 0.5 --seed 7 -o release --force --quiet
    grep -A3 '"name": "age"' release/manifest.json | grep '"type"'
    covey verify release --original t.csv --quiet && echo faithful
done
