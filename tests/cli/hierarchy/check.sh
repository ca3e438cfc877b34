# A file that is right, and what it holds.
printf 'Private;Employee;*\nFederal;Government;*\nLocal;Government;*\n?;*;*\n' >work.csv
covey hierarchy check work.csv
printf 'age,work\n1,Local\n2,Private\n3,Private\n' >people.csv
covey hierarchy check work.csv people.csv work --quiet
# A value without a line is an error, unless it is to go under the root.
printf '4,Federal\n5,State\n6,State\n7,None\n' >>people.csv
fails 2 covey hierarchy check work.csv people.csv work
fails 2 covey hierarchy check work.csv people.csv work --json
covey hierarchy check work.csv people.csv work --missing-leaf root
# Another root is worth a note.
printf 'a,all\nb,all\n' >root.csv
covey hierarchy check root.csv
