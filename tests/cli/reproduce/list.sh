# Without a name the experiments are listed; each has a name, a title and a source.
covey reproduce | grep -c '^[a-z0-9-]* *[A-Z]' | awk '{ print ($1 > 0) }'
covey reproduce --json | python3 -c 'import json, sys
for e in json.load(sys.stdin)["experiments"]:
    assert e["name"] and e["title"] and e["source"] and e["statement"], e'
