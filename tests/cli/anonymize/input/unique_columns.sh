# What is published as it is must not name everybody, unless the policy says that it may.
for i in $(seq 40); do echo "$((20 + i % 5)),c$i,$((i > 15 ? i : 0)),town $i"; done | sed '1i age,card,room,town' >people.csv
covey() { command covey "$@" 2>&1; }
anonymize() { covey anonymize people.csv --model k-anonymity:k=3 -o release --force "$@"; }
fails 2 anonymize --quasi age --insensitive card --others drop
fails 2 anonymize --quasi age,town --identifier room --others insensitive
anonymize --quasi age --insensitive card --others drop --unique card=allowed | head -1
anonymize --quasi age --insensitive room --others drop | grep warning
anonymize --quasi age,town --others drop | grep warning
fails 2 anonymize --quasi age --insensitive card --others drop --unique card=maybe
# It is one of the others that are published as they are.
anonymize --quasi age --others insensitive --unique card=allowed --unique town=allowed | grep 'rows:'
fails 2 anonymize --quasi age --others insensitive --unique town=allowed --type card=text
fails 2 anonymize --quasi age --others drop --unique town=allowed
