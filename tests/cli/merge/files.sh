# covey merge --files: the release of the parts in several files.
covey generate census --rows 2000 --seed 5 -o people.csv --quiet
covey plan people.csv --quasi age,education --sensitive salary --others drop --model k-anonymity:k=5 --method elastic \
    --rows-per-part 1000 -o recipe --quiet
covey part recipe 1 -o one --quiet
covey part recipe 2 -o two --quiet
covey merge recipe one two -o whole --quiet
covey merge recipe one two --files 4 -o cut --quiet
ls cut
{ head -1 cut/table-00001.csv && tail -q -n +2 cut/table-*.csv; } | cmp - whole/table.csv
covey verify cut --original people.csv --quiet
fails 2 covey merge recipe one two --files 0 -o none
