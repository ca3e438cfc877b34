# Names and values that look like something else come back as they were.
cat >people.csv <<'END'
"first, last",=SUM(A1),"{x}"
"a ""b""",*,"line
break"
"a ""b""",null,ü
" c",*,"[1, 2]"
" c",null,{}
END
covey anonymize people.csv --quasi '["first, last"]' --sensitive '{x}' --insensitive '=SUM(A1)' --model k-anonymity:k=2 --method mondrian --quiet -o release \
    >summary
cat release/table.csv
