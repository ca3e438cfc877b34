# Of one and the same partition, bounds of permutation are never wider than those of generalization.
data adult/adult-capital-loss-1427.csv >path
covey reproduce ke-arbitrary ke-range ke-arbitrary-age ke-range-age -o figures --quiet
for figure in ke-arbitrary ke-range ke-arbitrary-age ke-range-age; do
    python3 - figures/$figure.csv <<'END'
import csv, sys
rows = list(csv.DictReader(open(sys.argv[1])))
assert len(rows) >= 9, rows
for row in rows:
    assert 0 <= float(row["permutation"]) <= float(row["generalization"]), row
print(len(rows), "points")
END
done
