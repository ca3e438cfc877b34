# A release that is small enough to count by hand, as Markdown; hashes and the version are not shown.
export SOURCE_DATE_EPOCH=1700000000
small_release release
plain() { sed -E 's/[0-9a-f]{64}/HASH/g; s/Made by: covey [0-9.]+/Made by: covey VERSION/'; }
# What attacks find is for the tests of attacks.
covey report release --format md | plain | sed '/^## What known attacks/,/^## What this/{/^##/!d}'
echo "-- to files"
covey report release -o report.html
fails 2 covey report release -o report.html
covey report release -o report.html --force --json
covey report release -o report.md && cmp <(covey report release --format md) report.md
covey report release -o report.json && cmp <(covey report release --json) report.json
python3 - <<'END'
import json
report = json.load(open("report.json"))
print(sorted(report))
print(report["holds"], report["internal"], report["risk"], report["class_sizes"])
print([(c["name"], c["role"]) for c in report["columns"]])
END
echo "-- the page needs nothing else"
grep -oE '(src|href|url|@import|<script|<link|<img|<iframe|http:|https:)[^ >]{0,12}' report.html | sort -u
echo "-- wrong"
fails 2 covey report nothing
fails 2 covey report release --format pdf
fails 2 covey report release -o /nowhere/report.html
echo "-- a release that was changed"
sed -i '$s/[0-9.]*$/199.95/' release/table.csv
fails 1 covey report release --format md | sed -n 5,8p
echo "-- one that can no longer be read: what was found, and nothing else"
sed -i '2d' release/table.csv
fails 1 covey report release --format md >changed.md
sed -n '5,$p' changed.md
grep -c -i -E 'kept|worst|attack' changed.md || true
fails 1 covey report release --json | grep -E '"(holds|internal)"' | head -n 2
fails 1 covey report release -o changed.html
echo "-- a file that is in the way is named before the release is looked at"
touch taken.html
fails 2 covey report nowhere -o taken.html
