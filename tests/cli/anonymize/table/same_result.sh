# The release depends on the table's content only: not on threads, nor on the order of its rows, nor on where it lies.
awk 'BEGIN { for (i = 0; i < 1000; i++) print (i * 7919) % 89 "," (i * 104729) % 1000 "," (i * 31) % 11 }' >rows
{ echo age,zip,disease; cat rows; } >people.csv
mkdir elsewhere
{ echo age,zip,disease; tac rows; } >elsewhere/reversed.csv
gzip -k people.csv
for method in $(covey methods --json | python3 -c 'import json, sys; print(*(m["name"] for m in json.load(sys.stdin)["methods"] if m["name"] != "m-invariance"))'); do # anonymize/m_invariance/releases
    for model in basic-beta-likeness:beta=2 t-closeness:t=0.2 probabilistic-l-diversity:l=3 ke-anonymity:k=3,e=4 p-private:target=uniform sliced-l-diversity:l=2; do # the first that it can keep
        covey anonymize people.csv --quasi age,zip --sensitive disease --model "$model" --method "$method" --quiet --force -o tried >summary 2>&1 && break
    done
    anonymize() {
        covey anonymize "$1" --quasi age,zip --sensitive disease --model "$model" --method "$method" --quiet --seed 7 \
            --threads "$2" -o "$method-$3" >summary
    }
    anonymize people.csv 1 one
    anonymize people.csv 4 four
    anonymize elsewhere/reversed.csv 2 reversed
    anonymize people.csv.gz 2 packed
    for other in four reversed packed; do
        diff -r "$method-one" "$method-$other" >/dev/null || echo "$method: $other differs"
    done
done
