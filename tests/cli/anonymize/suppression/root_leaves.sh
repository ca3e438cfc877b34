# full-domain: where leaves stand under the root alone, beside missing values, each class gets the label of its own rows.
printf 'doctor;medical;*\nnurse;medical;*\nclerk;public;*\njudge;*;*\n' >jobs.csv
printf 'job,age,illness\n,20,flu\n,20,gout\n,20,flu\njudge,30,flu\njudge,30,gout\nspy,30,flu\ndoctor,30,flu\ndoctor,30,gout\nnurse,30,flu\nclerk,30,flu\n' >t.csv
for limit in 0.1 0; do
    covey anonymize t.csv --quasi job,age --sensitive illness --hierarchy 'job={file: jobs.csv, missing-leaf: root}' --model k-anonymity:k=3 --method full-domain --suppression $limit --seed 7 -o release --force --quiet
    cut -d, -f1-3 release/table.csv | sort | uniq -c
    covey verify release --original t.csv --quiet && echo faithful
done
sed -i 's/^clerk.*/clerk,30,flu\nclerk,30,flu\nclerk,30,gout/' t.csv
covey anonymize t.csv --quasi job,age --sensitive illness --hierarchy 'job={file: jobs.csv, missing-leaf: root}' --model k-anonymity:k=3 --method full-domain --seed 7 -o release --force --quiet
cut -d, -f1-3 release/table.csv | sort | uniq -c
echo "-- a node that is called like a leaf elsewhere, which no row has: its leaves are named"
printf 'nurse;carers;medical;*\nclerk;nurse;public;*\nguard;nurse;public;*\n' >jobs.csv
printf 'job,age,illness\nclerk,30,flu\nguard,30,gout\nguard,30,flu\nmidwife,20,flu\nmidwife,20,gout\njudge,20,flu\nspy,30,flu\n' >t.csv
covey anonymize t.csv --quasi job,age --sensitive illness --hierarchy 'job={file: jobs.csv, missing-leaf: root}' --model k-anonymity:k=3 --method full-domain --suppression 0.2 --seed 7 -o release --force --quiet
cut -d, -f1-3 release/table.csv | sort | uniq -c
covey verify release --original t.csv --quiet && echo faithful
covey query release "SELECT COUNT(*) WHERE job = 'carers'" | tail -1
