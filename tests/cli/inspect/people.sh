# One line per column: type, distinct values, missing cells, uniqueness, suggested role. No cell is shown.
printf 'id,age,zip,disease\n1,20,47601,flu\n2,20,47601,\n3,30,47602,gout\n4,30,?,flu\n5,41,47699,flu\n' >people.csv
covey inspect people.csv
