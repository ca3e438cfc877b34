# What the first screen says of every form, and that what attacks find is said in the form's words and in the page's numbers.
forms_of_release rows.csv
covey anonymize rows.csv --quasi age,city --sensitive illness --others drop --model k-anonymity:k=120 --model t-closeness:t=0 --method full-domain -o alike --quiet >summary
for form in $forms alike; do
    echo "-- $form"
    covey report "$form" --original rows.csv -o page.md --force --quiet
    grep -oE '^- (Worst risk|Detail lost).*|^Suppressed columns.*|Columns of the original.*|^\| [a-z]+ \|.*\| (suppressed|as a).*' page.md
    covey report "$form" --original rows.csv -o page.html --force --quiet
    python3 - <<'PYTHON'
import re
page = open("page.html").read()
print("chart:", *re.findall(r"<figcaption>(.*?)</figcaption>", page)[:1], len(re.findall(r'class="amount"', page)), "bars")
for share, width in re.findall(r'<rect width="([0-9.]+)" height="8"/></svg></dd><dd class="amount">([0-9.]+)', page):
    assert abs(float(share) - float(width)) < 0.06, (share, width)  # of 100 %, and not of the longest
found = page.split("<caption>Attacks on the release</caption>")[1].split("</table>")[0]
print("they speak of:", *sorted(set(re.findall(r"\b(?:class(?:es)?|groups?|buckets?)\b", re.sub("<[^>]*>", " ", found)))))
assert "1 in 1," not in found and not re.search(r"[0-9]%|[0-9]{4}", found), found
PYTHON
done
echo "-- a seed undoes a shuffle, whatever else holds"
covey anonymize rows.csv --quasi age,city --others drop --sensitive illness --model k-anonymity:k=12 --method mondrian --seed 1 -o seeded --quiet >summary
covey report seeded --format md | grep '^\*\*'
covey report seeded | grep -c 'class="figure good"' || true
echo "-- nothing is green or met in a release that was changed"
covey anonymize rows.csv --quasi age,city --others drop --sensitive illness --model k-anonymity:k=12 --method mondrian -o changed-value --quiet >summary
sed -i "s/ill1$/ill2/" changed-value/table.csv
fails 1 covey report changed-value -o page.html --force --quiet
grep -oE 'class="(verdict|figure) [a-z]+"|>(kept|met|not.*proven|BROKEN)<' page.html | sort | uniq -c | sed 's/^ *//'
