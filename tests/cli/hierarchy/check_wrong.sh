# Each fault of a file is said with its lines.
check() {
    printf "$1" >h.csv
    fails 2 covey hierarchy check h.csv
}
check 'a;x;*\nb;*\n'
check 'a;x;*\nb;x;*\na;x;*\n'
check '47;40-49;40-59;*\n50;50-59;40-59;*\n51;50-59;50-99;*\n'
check 'a;x;*\nb;x;any\n'
check 'a;x;*;\nb;x;*;\n'
check 'a\nb\n'
check ''
check 'a;x;*\n"b;x;*\n'
check 'a;x;*\nb\xff;x;*\n'
fails 2 covey hierarchy check nowhere.csv
printf 'a;x;*\nb;x;*\n' >h.csv
fails 2 covey hierarchy check h.csv people.csv
fails 2 covey hierarchy check h.csv --type text
fails 2 covey hierarchy check h.csv --hierarchy-delimiter ';;'
fails 2 covey hierarchy check h.csv --hierarchy-delimiter ,
fails 2 covey hierarchy check h.csv --missing-leaf drop
