# Four households of two or three persons, numbered from 1 in each; k is over households, l over persons.
cat >visits.csv <<'END'
home,person,age,disease
a,1,30,flu
a,1,30,cold
a,2,31,flu
b,1,32,gout
b,2,33,flu
c,1,60,cold
c,2,61,gout
c,3,62,cold
d,1,63,flu
d,1,63,gout
END
homes() {
    covey anonymize visits.csv --entity person --within person=home --identifier home --quasi age --sensitive disease --method mondrian --force "$@"
}
homes --model k-anonymity:k=2,units=count --model probabilistic-l-diversity:l=3/2 -o two | sed -n 1,5p
cat two/units.csv
sed -n '/"entity"/,/}/p' two/manifest.json
covey verify two --original visits.csv
fails 1 homes --model k-anonymity:k=4 -o four
# A row without a name belongs to nobody knows whom: an error, or a unit of its own.
echo ',1,64,flu' >>visits.csv
fails 2 homes --model k-anonymity:k=2,units=count -o two
homes --missing-entity person=own --model k-anonymity:k=2,units=count -o two | sed -n 1p
cat two/units.csv
# Names that differ in blanks or case alone.
sed 's/^a,1,30,cold/A ,1,30,cold/' visits.csv >spelled.csv
covey anonymize spelled.csv --entity home --missing-entity home=own --others drop --quasi age --model k-anonymity:k=2,units=count --method mondrian -o spelled >summary
fails 2 covey anonymize visits.csv --entity person --identifier home --within home=age --quasi age --others drop --model k-anonymity:k=2 -o other
fails 2 covey anonymize visits.csv --entity person --within person=age --quasi age --others drop --model k-anonymity:k=2 -o other
ls
# Risks of a row are not those of a person: both are told, and are those of measure.
covey anonymize visits.csv --entity home --missing-entity home=own --others drop --quasi age --model k-anonymity:k=2,units=count --method mondrian --json --force -o risks 2>/dev/null | grep risk
covey verify risks --json | grep risk
covey measure risks --json | grep unit_risk
