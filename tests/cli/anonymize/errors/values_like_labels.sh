# A value that `missing-leaf: root` would put under the root, and that is called like a label above others, would be taken for these.
printf 'France;Europe;*\nSpain;Europe;*\nPeru;America;*\n' >tree.csv
printf 'x,s\nFrance,u\nSpain,v\nPeru,u\nEurope,w\nEurope,u\n' >people.csv
anonymize() {
    covey anonymize people.csv --quasi x --sensitive s --hierarchy "x={file: tree.csv, missing-leaf: root}" --model k-anonymity:k=2 --method mondrian -o release --force --quiet
}
fails 2 anonymize
echo 'Europe;Europe;*' >>tree.csv
anonymize
cut -d, -f2 release/table.csv | sort | uniq -c
covey query release "SELECT COUNT(*) WHERE x = 'France'" --json | grep COUNT
echo "-- a root that is called like a value"
sed -i '/Europe;Europe/d; s/\*/Peru/' tree.csv
sed -i 's/Europe/Chad/' people.csv
fails 2 anonymize
