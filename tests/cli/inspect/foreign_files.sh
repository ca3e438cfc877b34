# Files of other programs are known by their first bytes; the command alone says who reads them.
printf '$FL2@(#) SPSS DATA FILE' >survey.sav
fails 2 covey inspect survey.sav
printf 'version: 1\ninput: {path: survey.sav}\nothers: drop\nattributes:\n- {name: age, role: quasi-identifier}\nprivacy:\n- {model: k-anonymity, k: 2}\nmethod: {name: mondrian}\n' >policy.yaml
fails 2 covey anonymize policy.yaml -o release
fails 2 covey plan policy.yaml -o plan
test ! -e release
printf 'PK\003\004%026dmimetypeapplication/vnd.oasis.opendocument.spreadsheetPK' 0 >survey.csv
fails 2 covey inspect survey.csv --json
printf 'PK\003\004and so on, which is no table of texts' >survey.xlsx
fails 2 covey inspect survey.xlsx
printf 's\001\001\000 an old one of Stata' >survey.dta
fails 2 covey inspect survey.dta
printf 'PAR1' >survey.parquet
fails 2 covey inspect survey.parquet
# Text is text, whatever its name says.
printf 'age,zip\n20,1\n30,2\n' >text.sav
covey inspect text.sav --quiet --json | grep -c '"name"'
