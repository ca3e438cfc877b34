# What cannot be built is said with the column and how to mend it; nothing is written.
printf 'age,zip\n20,123\n51,45678\n' >people.csv
fails 2 covey hierarchy
fails 2 covey hierarchy biuld
fails 2 covey hierarchy build people.csv age
fails 2 covey hierarchy build people.csv age '{balanced: 2}'
fails 2 covey hierarchy build people.csv agee '{balanced: 2}' -o a.csv
fails 2 covey hierarchy build people.csv height '{balanced: 2}' -o a.csv
fails 2 covey hierarchy build nowhere.csv age '{balanced: 2}' -o a.csv
fails 2 covey hierarchy build people.csv age '{balanced: 1}' -o a.csv
fails 2 covey hierarchy build people.csv age '{ballanced: 2}' -o a.csv
fails 2 covey hierarchy build people.csv age '{interval: {from: 0, to: 50, widths: [5]}}' -o a.csv
fails 2 covey hierarchy build people.csv age '{interval: {from: 0, to: 100, widths: [5, 12]}}' -o a.csv
fails 2 covey hierarchy build people.csv age '{date: [month]}' -o a.csv
fails 2 covey hierarchy build people.csv zip '{mask: 2}' -o a.csv
fails 2 covey hierarchy build people.csv age '{balanced: 2}' -o nowhere/a.csv
ls
