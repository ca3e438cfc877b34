# Whatever is wrong with a table, the message names file, line and column, and nothing is left behind.
anonymize() {
    fails 2 covey anonymize "$1" --quasi age --sensitive disease --model k-anonymity:k=1 --method mondrian -o release --quiet
    ! ls -d release .release* 2>/dev/null
}
table() {
    printf '%b' "$2" >"$1.csv"
    anonymize "$1.csv"
}
table empty ''
table header_only 'age,disease\n'
table same_name_twice 'age,age\n20,flu\n'
table no_name 'age,\n20,flu\n'
table row_too_short 'age,disease\n20,flu\n30\n'
table row_too_long 'age,disease\n20,flu\n30,gout,x\n'
table open_quote 'age,disease\n20,flu\n30,"gout\n40,cold\n'
table text_behind_quote 'age,disease\n20,"flu"x\n'
table quote_inside 'age,disease\n20,fl"u\n'
table nul_byte 'age,disease\n20,f\0000lu\n'
table no_utf8 'age,disease\n20,flu\n30,go\0377ut\n'
table blank_line 'age,disease\n20,flu\n\n30,gout\n'
table no_such_column 'aeg,disease\n20,flu\n'
table column_not_named 'age,disease,name\n20,flu,Ann\n'
table no_sensitive_value 'age,disease\n20,flu\n30,\n'
anonymize nothing.csv
mkdir folder
anonymize folder
printf '\037\213 not really gzip' >broken.csv.gz
anonymize broken.csv.gz
printf "age,disease,class\n20,flu,x\n" >column_of_ours.csv
fails 2 covey anonymize column_of_ours.csv --quasi age --sensitive disease --others insensitive --model k-anonymity:k=1 --method mondrian -o release --quiet
printf 'age,disease\n20,flu\n,gout\n' >empty_cell.csv
fails 2 covey anonymize empty_cell.csv --quasi age --sensitive disease --null NA --model k-anonymity:k=1 --method mondrian -o release --quiet
