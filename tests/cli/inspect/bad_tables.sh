# What is wrong with a table is said with its place, as when anonymizing.
printf 'age,disease\n20\n' >short.csv
fails 2 covey inspect short.csv
fails 2 covey inspect nowhere.csv
fails 2 covey inspect short.csv --delimiter ab
fails 2 covey inspect
: >empty.csv
fails 2 covey inspect empty.csv
printf 'age,name\n' >header.csv
covey inspect header.csv
