# Two tables that differ in a suppressed row alone give the same release.
anonymize() { covey anonymize $1.csv --sensitive illness --quasi age --suppression 0.2 --seed 7 -o $1 --force --quiet "${@:2}"; }
echo "-- full-domain: a label of a level stays, though steps list all integers in one table and not in the other"
printf 'age,illness\n30,flu\n31,gout\n36,flu\n36,cold\n52,flu\n52,gout\n41,cold\n45,gout\n,flu\n' >one.csv
sed 's/^,flu/12.5,flu/' one.csv >two.csv
for table in one two; do
    anonymize $table --hierarchy 'age={interval: {from: 0, to: 99, widths: [5, 10, 20], clamp: true}}' --model k-anonymity:k=4 --method full-domain
done
diff -r one two && cut -d, -f2 one/table.csv | sort | uniq -c
echo "-- class-entropy: a suppressed row costs ln 2, of the two labels that are published; with a third a bound would be of another cost"
printf 'age,illness\n20,flu\n20,gout\n30,flu\n30,gout\n90,flu\n' >one.csv
sed 's/90,flu/90,rare/' one.csv >two.csv
for table in one two; do
    anonymize $table --model probabilistic-l-diversity:l=2 --method '{name: optimal-partition, cost: class-entropy}'
    sed -n '/"objective"/,/"optimal"/p' $table/manifest.json
done
echo "-- full-domain: widths of numbers go by what is published, not by the digits of a suppressed row"
printf 'age,sex,illness\n33,f,flu\n36,f,gout\n38,f,flu\n41,m,flu\n41,m,gout\n41,m,flu\n45,f,flu\n45,f,gout\n45,f,flu\n12,m,flu\n' >one.csv
sed 's/^12,/12.5,/' one.csv >two.csv
for table in one two; do
    anonymize $table --quasi sex --model k-anonymity:k=3 --method full-domain
done
diff -r one two && sed '1!s/,[^,]*$//' one/table.csv | sort | uniq -c
sed -n '/"levels"/,/}/p' two/manifest.json
