# A cell * is the root, also where a value is called * and the file has one label below the root, or none above the others.
printf 'a;R;*\n*;R;*\n' >tree.csv
printf 'x,s\nnull2,v\nz,w\na,v\na,u\na,w\na,v\n' >people.csv
for missing in ', missing-leaf: root' ''; do
    [ "$missing" ] || sed -i '/^[nz]/d' people.csv
    covey anonymize people.csv --quasi x --sensitive s --hierarchy "x={file: tree.csv$missing}" --model k-anonymity:k=4 --method full-domain -o release --force --quiet 2>/dev/null
    cut -d, -f2 release/table.csv | sort -u
    for value in a '*'; do
        covey query release "SELECT COUNT(*) WHERE x = '$value'" --json | grep COUNT
    done
done
