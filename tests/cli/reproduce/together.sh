# Experiments of one run share what they have in common, and find what each finds alone.
covey reproduce likeness-5a likeness-8a likeness-8d likeness-9a likeness-9b likeness-4c likeness-table -o together --rows 200 --quiet
for figure in likeness-8d likeness-9b likeness-4c likeness-table; do
    covey reproduce $figure -o alone --rows 200 --quiet --force
    cmp alone/$figure.csv together/$figure.csv && echo "$figure: the same"
done
# The page counts what came out, and says why what differs does.
covey reproduce ke-correlation slicing-time -o why --quiet --rows 2000
python3 - <<'END'
import json, re
page = open("why/index.html").read()
results = json.load(open("why/results.json"))["experiments"]
counted = dict(zip(["experiments", "holds", "data", "choice", "open"], map(int, re.findall(r"(\d+) ?", re.sub("<[^>]*>", "", re.search("<p>Of .* experiments .*</p>", page)[0])))))
assert counted["experiments"] == len(results) == 2, counted
for kind in "data", "choice", "open":
    assert counted[kind] == sum(r.get("because") == kind for r in results), (counted, results)
for r in results:
    assert (r["state"] == "differs") == ("why" in r), r
    assert r["state"] == "holds" or r["why"] in page and r["because"] == "open", r
END
