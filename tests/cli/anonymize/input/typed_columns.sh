# Numbers and days of a database are in nobody's writing: decimal commas, and dates as offices write them, are those of its texts.
policy='--quasi income,born,sex --decimal , --date-format D.M.YYYY --model k-anonymity:k=2 --method mondrian'
python3 - <<'EOF'
import sqlite3
c = sqlite3.connect("people.db")
c.execute("CREATE TABLE people(income REAL, born TEXT, sex TEXT)")
c.executemany("INSERT INTO people VALUES (?, ?, ?)", [(i + 0.125, f"{i % 28 + 1}.3.1960", "fm"[i % 2]) for i in range(20)])
c.commit()
EOF
{
    echo 'income;born;sex'
    for i in $(seq 0 19); do echo "$i,125;$((i + 1)).3.1960;$(echo fm | cut -c $((i % 2 + 1)))"; done
} >people.csv
compare() {
    covey anonymize "$1" $policy -o release --force --quiet
    grep -A 3 '"recoding"' release/manifest.json
    for original in "$1" people.csv; do covey verify release --original "$original" --quiet && echo faithful; done
    head -2 release/table.csv
}
compare 'sqlite:people.db?table=people'
postgresql
sql <<'EOF'
SET ROLE covey;
CREATE TABLE people AS SELECT i + 0.125 AS income, DATE '1960-03-01' + i AS born, substr('fm', 1 + i % 2, 1) AS sex FROM generate_series(0, 19) i;
EOF
compare "$address&table=people"
