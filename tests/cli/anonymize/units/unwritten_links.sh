# A release whose list of links cannot be written is not published: nothing could prove it any more.
{ echo person,age,disease; for i in $(seq 12); do echo "p$((i / 2)),$((20 + i)),$((i % 3))"; done; } >visits.csv
ln -s /dev/full links.csv
fails 3 covey anonymize visits.csv --entity person --quasi age --sensitive disease --model k-anonymity:k=3 --links links.csv \
    -o release --quiet
ls -A
