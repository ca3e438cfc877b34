# What goes wrong on a steward's day: each says what, where, what was expected, and how to go on.
printf 'id,age,zip,disease\n' >people.csv
for i in $(seq 12); do echo "$i,$((20 + i)),10$((i % 3))0,d$((i % 4))" >>people.csv; done
run() {
    printf '%s\n' "-- $1" >&2
    shift
    fails 2 covey "$@"
}
flags=(--quasi age,zip --sensitive disease --identifier id --model k-anonymity:k=2 -o release)
table() { printf '%b' "$2" >table.csv; run "$1" anonymize table.csv "${flags[@]}"; }
policy() {
    printf 'version: 1\ninput: {path: people.csv}\nattributes:\n  - {name: id, role: identifier}\n  - {name: disease, role: sensitive}\n%b' "$2" >policy.yaml
    run "$1" anonymize policy.yaml -o release
}
quasi='  - {name: age, role: quasi-identifier}\n  - {name: zip, role: quasi-identifier}\n'
privacy='privacy: [{model: k-anonymity, k: 2}]\n'

# Tables.
table 'a line is short' 'id,age,zip,disease\n1,20,1000,d1\n2,21,1000\n'
table 'a line is long' 'id,age,zip,disease\n1,20,1000,d1\n2,21,1000,d2,\n'
table 'a column twice' 'id,age,age,zip,disease\n1,20,20,1000,d1\n'
table 'a column without a name' 'id,age,zip,disease,\n1,20,1000,d1,x\n'
table 'a quote that never ends' 'id,age,zip,disease\n1,20,"1000,d1\n2,21,1000,d2\n'
table 'nothing in it' ''
table 'a header alone' 'id,age,zip,disease\n'
table 'other names' 'ID,Age,ZIP,Disease\n1,20,1000,d1\n'
table 'a blank before names' 'id, age, zip, disease\n1,20,1000,d1\n'
table 'UTF-16' '\xff\xfei\0d\0,\0a\0g\0e\0\n\0'
table 'Latin-1' 'id,age,zip,disease\n1,20,1000,gr\xfcn\n'
table 'a NUL byte' 'id,age,zip,disease\n1,2\x000,1000,d1\n'
table 'no value of the sensitive column' 'id,age,zip,disease\n1,20,1000,d1\n2,21,1000,\n'
table 'a workbook' 'PK\x03\x04\x14\x00\x06\x00xl/workbook.xml'
table 'a page' '<!DOCTYPE html><html><body>Log in first</body></html>\n'
printf 'id,age,zip,disease\n1,20,1000,d1\n' | gzip | head -c 30 >cut.csv.gz
run 'a download that broke off' anonymize cut.csv.gz "${flags[@]}"
table 'a list of objects' '[{"id": 1, "age": 20}]\n'
run 'a folder' anonymize . "${flags[@]}"
run 'an integer column with a text' anonymize people.csv "${flags[@]}" --type zip=integer --type disease=integer
run 'a date that is none' anonymize people.csv "${flags[@]}" --date-format zip=DD.MM.YYYY

# Policies.
policy 'a role with an underscore' "  - {name: age, role: quasi_identifier}\n$privacy"
policy 'a role in capitals' "  - {name: age, role: Quasi-Identifier}\n$privacy"
policy 'a role of another tool' "  - {name: age, role: key}\n$privacy"
policy 'a key of another tool' "  - {name: age, type: quasi-identifying}\n$privacy"
policy 'attributes that are no list' "$quasi"'privacy: {model: k-anonymity, k: 2}\nattribute: {}\n'
policy 'one promise without a list' "${quasi}privacy: k-anonymity\n"
policy 'k in words' "${quasi}privacy: [{model: k-anonymity, k: five}]\n"
policy 'k with a blank' "${quasi}privacy: [{model: k-anonymity, k:5}]\n"
policy 'no k' "${quasi}privacy: [{model: k-anonymity}]\n"
policy 'a percentage for t' "${quasi}privacy: [{model: t-closeness, t: 20%}]\n"
policy 'an attribute twice' "$quasi  - {name: age, role: insensitive}\n$privacy"
policy 'a column forgotten' "  - {name: age, role: quasi-identifier}\n$privacy"
policy 'a column that is not there' "$quasi  - {name: job, role: quasi-identifier}\n$privacy"
policy 'no promise' "$quasi"
policy 'a file as hierarchy' "  - {name: age, role: quasi-identifier, hierarchy: age.csv}\n$privacy"
policy 'a hierarchy that is not there' "  - {name: age, role: quasi-identifier, hierarchy: {file: age.csv}}\n$privacy"
printf '21;20-29;*\n22;20-29;*\n' >short.csv
policy 'a hierarchy without some values' "  - {name: age, role: quasi-identifier, hierarchy: {file: short.csv}}\n  - {name: zip, role: quasi-identifier}\n$privacy"
policy 'an interval the wrong way round' "  - {name: age, role: quasi-identifier, hierarchy: {interval: {from: 100, to: 0, widths: [10]}}}\n$privacy"
policy 'a domain that is too small' "  - {name: age, role: quasi-identifier, domain: [0, 25]}\n  - {name: zip, role: quasi-identifier}\n$privacy"
policy 'an order without all values' "$quasi""others: drop\nprivacy: [{model: t-closeness, t: 0.5, distance: ordered}]\n"
policy 'another version' "$quasi${privacy}version: 2\n"
policy 'a method that cannot' "$quasi${privacy}method: anatomy\n"
policy 'a parameter of another method' "$quasi${privacy}method: {name: mondrian, refine: none, ladders: x}\n"
policy 'a promise about a column that is not sensitive' "${quasi}privacy: [{model: distinct-l-diversity, l: 2, attribute: age}]\n"
policy 'a quotation mark forgotten' "${quasi}privacy: [{model: k-anonymity, k: \"2}]\n"
policy 'a blank too few' "$quasi - {name: job, role: insensitive}\n$privacy"

# Flags.
run 'blanks instead of commas' anonymize people.csv --quasi age zip --sensitive disease --model k-anonymity:k=2 -o release
run 'one hyphen' anonymize people.csv -quasi age,zip -o release
run 'the parameter as an option' anonymize people.csv --quasi age,zip --sensitive disease --model k-anonymity --k 2 -o release
run 'the parameter with a blank' anonymize people.csv --quasi age,zip --sensitive disease --model k-anonymity k=2 -o release
run 'the promise forgotten' anonymize people.csv --quasi age,zip --sensitive disease --model k=2 -o release
run 'no target' anonymize people.csv --quasi age,zip --sensitive disease --others drop --model k-anonymity:k=2
run 'a target in no folder' anonymize people.csv --quasi age,zip --sensitive disease --others drop --model k-anonymity:k=2 -o there/release
run 'the table as target' anonymize people.csv "${flags[@]::8}" -o people.csv --force
run 'a column with two roles' anonymize people.csv --quasi age,zip,disease --sensitive disease --others drop --model k-anonymity:k=2 -o release
run 'a word of another program' anonymise people.csv
run 'an option of another command' verify release --quasi age

# Files where others belong.
covey anonymize people.csv "${flags[@]}" --quiet 2>/dev/null
cp people.csv others.csv
sed -i 's/,10/,20/' others.csv
run 'a release as table' anonymize release --quasi age -o two
run 'a table as release' verify people.csv
run 'a policy as release' query policy.yaml 'SELECT COUNT(*)'
run 'a file of a release' report release/table.csv
run 'no query' query release ''
run 'SQL for something else' query release 'DELETE FROM release'
run 'single rows' query release 'SELECT * FROM release'
run 'a column that is not published' query release "SELECT COUNT(*) WHERE id = 3"
run 'two quotes for a text' query release 'SELECT COUNT(*) WHERE disease = "d1"'
run 'an attack that there is not' attack release --attack definetty
run 'a target that there is not' export release --to excel:out.xlsx
run 'a hierarchy check of a table' hierarchy check people.csv
run 'an original with other columns' measure release --original short.csv
printf 'version: 1\ninput: {path: missing.csv, missing-sensitive: value}\nattributes:\n  - {name: age, role: quasi-identifier}\n  - {name: pain, role: sensitive, order: [low, "null", high]}\nprivacy: [{model: distinct-l-diversity, l: 2}]\n' >order.yaml
printf 'age,pain\n1,low\n2,\n3,high\n' >missing.csv
run 'an order with the missing value' anonymize order.yaml -o order
