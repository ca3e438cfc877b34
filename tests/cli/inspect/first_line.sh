# Is the first line a row? Are there blanks around cells, which tell " 13" from 13?
cat > adult.csv <<'END'
39, State-gov, 13, Male
50, Private, 13, Male
39, State-gov, 9, Female
28, Private, 13, Female
END
covey inspect adult.csv
covey inspect adult.csv --header=false --trim
covey inspect adult.csv --json | grep -E '"(name|blanks|named_by_value)"'
# Years as names are no values; and numbers as names are covey's own.
printf '2019,2020\n1,2\n2,1\n' > years.csv
covey inspect years.csv
printf '1,2\n2,1\n' > numbers.csv
covey inspect numbers.csv --header=false
printf '1,0,0\n1,1,0\n' > twice.csv
covey inspect twice.csv
