# A figure whose table is not there is named; the page is written all the same, and the answer is no.
mkdir none
fails 1 covey reproduce recoding-k -o figures --data none
ls figures
grep -c '>missing<' figures/index.html
fails 2 covey reproduce recoding-k -o figures --data none
fails 1 covey reproduce recoding-k -o figures --data none --force --json | python3 -c 'import json, sys
print(json.load(sys.stdin)["figures"][0]["state"])'
