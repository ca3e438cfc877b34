# With the original: every attack that applies, why the others do not, and how the errors of answers are spread, as a chart beside its table.
export SOURCE_DATE_EPOCH=1700000000
{
    echo 'age,town,disease'
    for i in $(seq 60); do echo "$((20 + i * 7 % 23)),t$((i % 3)),d$((i % 4))"; done
} >people.csv
release() { # NAME ARGUMENTS
    name=$1
    shift
    covey anonymize people.csv --quasi age,town --sensitive disease --seed 1 -o "$name" --quiet "$@" >summary
}
release classes --model basic-beta-likeness:beta=2 --model k-anonymity:k=4 --method mondrian
release groups --model probabilistic-l-diversity:l=4 --method anatomy
release rows --model basic-beta-likeness:beta=1 --method perturbation
release targets --model p-private:target=uniform --method distribution --hierarchy 'disease={balanced: 2}'
release slices --model sliced-l-diversity:l=2 --method slicing
for release in classes groups rows targets slices; do
    echo "-- $release"
    covey report $release --original people.csv -o $release.html --quiet
    covey report $release --original people.csv --threads 1 | cmp - $release.html && echo "the same by one thread"
    covey report $release --original people.csv --json >$release.json
    python3 - $release <<'END'
import html.parser, json, re, sys

name = sys.argv[1]
report, page = json.load(open(name + ".json")), open(name + ".html").read()
if name == "classes":
    assert 0 < report["lower_bound"] <= report["ail"], report["lower_bound"]
    assert "this one loses at most %.3g times" % (report["ail"] / report["lower_bound"]) in page
else:
    assert report["lower_bound"] is None, report["lower_bound"]
print("tried:", *sorted({a["name"] for a in report["attacks"] if a["applies"]}))
print("not tried:", *sorted({a["name"] for a in report["attacks"] if not a["applies"]}))
for a in report["attacks"]:
    assert a["applies"] or a["why_not"] and a["why_not"].split(":")[0].replace("'", "&#39;") in page, a
assert [q["selectivity"] for q in report["queries"]] == [0.005, 0.01, 0.02, 0.05, 0.1, 0.2]
for q in report["queries"]:
    for kind in ("error_quantiles", "width_quantiles"):
        values = [q[kind][p] for p in ("10", "25", "50", "75", "90")]
        assert values == [None] * 5 or values == sorted(values) and values[0] >= 0, q
    assert 0 < q["counted"] <= q["queries"] == 100
chart = re.search(r"<svg class=\"spread\".*?</svg>", page, re.S).group(0)
print("chart:", chart.count('class="box"'), "boxes,", chart.count('class="median"'), "medians, title and words:", "<title" in chart and "<desc" in chart,
      "labelled:", 'role="img" aria-labelledby=' in chart)
# The heights of the medians are those of the figures.
top = max(float(t) for t in re.findall(r'text-anchor="end">([0-9.e+-]+) %', chart)) / 100
for q, y in zip([q for q in report["queries"] if q["median_relative_error"] is not None], re.findall(r'class="median" x1="[0-9.]+" y1="([0-9.]+)"', chart)):
    assert abs(float(y) - (12 + (1 - min(1, q["median_relative_error"] / top)) * 190)) < 0.6, (q, y, top)
END
done
covey report classes --json | python3 -c 'import json, sys; print("without the original:", json.load(sys.stdin)["lower_bound"])'
