# Numbers with decimal commas and dates in the ways of offices are numbers and dates, once the policy says how they are written; no day
# goes by in silence before that. The release is proven against the table as it was written.
{
    echo 'sep=;'
    echo 'born;income;disease'
    for i in $(seq 24); do
        echo "$((i % 28 + 1)).$((i % 12 + 1)).19$((40 + i));$((i % 3)).$((100 + i * 7)),5$((i % 10));$((i % 2))"
    done | sed 's/;0\./;/'
} >people.csv
covey() { command covey "$@" 2>&1; }
anonymize() { covey anonymize "$@" --quasi born,income --sensitive disease --model k-anonymity:k=3 --method mondrian -o release --force --quiet; }
fails 2 anonymize people.csv
fails 2 anonymize people.csv --date-format DD.MM.YYYY
anonymize people.csv --date-format DD.MM.YYYY --decimal ,
head -2 release/table.csv
covey verify release --original people.csv --quiet && echo holds
grep -A 2 recoding release/manifest.json

# One attribute alone, and then every value of it must be so written.
fails 2 anonymize people.csv --date-format born=M/D/YY --decimal ,
fails 2 anonymize people.csv --attribute '{name: born, type: integer, date-format: D.M.YYYY}' --decimal ,
fails 2 anonymize people.csv --date-format DD.MM
fails 2 anonymize people.csv --decimal .,
anonymize people.csv --type born=text --type income=text | cut -d';' -f1

# Nothing tells the day from the month: covey asks.
printf 'day,x\n1/2/20,a\n1/2/20,b\n3/4/20,a\n' >days.csv
fails 2 covey anonymize days.csv --quasi day,x --model k-anonymity:k=1 -o release --force
covey anonymize days.csv --quasi day,x --model k-anonymity:k=1 --date-format day=M/D/YY -o release --force --quiet
cat release/table.csv

# The same where the table is anonymized part by part.
covey plan people.csv --quasi born,income --sensitive disease --model k-anonymity:k=3 --method mondrian --date-format D.M.YYYY --decimal , \
    --rows-per-part 12 -o plan --quiet
for part in 1 2; do covey part plan $part -o part$part --quiet; done
covey merge plan part1 part2 -o merged --quiet
covey verify merged --original people.csv --quiet && echo merged
