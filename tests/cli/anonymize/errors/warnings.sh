# What is worth reading, but not wrong, goes to stderr and does not stop anything.
printf 'age,disease\n20,flu\n20,cold\n30,flu\n30,gout\n' >people.csv
printf 'flu;*\ncold;*\ngout;*\n' >disease.csv
covey anonymize people.csv --quasi age --sensitive disease --model k-anonymity:k=2 --method mondrian -o one >summary
covey anonymize people.csv --quasi age --sensitive disease --model distinct-l-diversity:l=2 --hierarchy disease=disease.csv --method mondrian \
    -o two >summary
printf 'age,disease\n20,flu\n20,flu\n30,flu\n30,flu\n' >constant.csv
covey anonymize constant.csv --quasi age --sensitive disease --model basic-beta-likeness:beta=1 --method mondrian -o three >summary
covey anonymize people.csv --quasi age --sensitive disease --model t-closeness:t=1 --model k-anonymity:k=1 --method mondrian -o four >summary
