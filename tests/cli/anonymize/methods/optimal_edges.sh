# The edge cases of optimal-partition, one by one: what cannot be, what is trivial, what is missing, what stops a search.
figures() { python3 -c 'import json, sys; j = json.load(sys.stdin); o = j["objective"]
print(o["name"], int(o["value"]), "bound", o["lower_bound"], "optimal", o["optimal"], "classes", j["classes"], "suppressed", j["suppressed_rows"])'; }
optimal() { covey anonymize "$@" --method optimal-partition --force --json --quiet | figures; }
printf 'x,s\n1,a\n1,a\n' >two.csv
printf 'x,s\n1,a\n1,a\n3,a\n3,b\n5,b\n5,a\n7,b\n7,b\n' >eight.csv
printf 'x,s\n' >none.csv
echo "fewer rows than k, without and with suppression; no row"
fails 1 covey anonymize two.csv --quasi x --others drop --model k-anonymity:k=4 --method optimal-partition -o never --quiet
fails 1 covey anonymize two.csv --quasi x --others drop --model k-anonymity:k=4 --method optimal-partition --suppression 1 -o never --quiet
fails 2 covey anonymize none.csv --quasi x --others drop --model k-anonymity:k=4 --method optimal-partition -o never --quiet
echo "the whole table breaks a promise"
fails 1 covey anonymize eight.csv --quasi x --sensitive s --model distinct-l-diversity:l=3 --method optimal-partition -o never --quiet
fails 1 covey anonymize two.csv --quasi x --sensitive s --model entropy-l-diversity:l=2 --method optimal-partition -o never --quiet
echo "a length that the domain does not have, even with suppression"
fails 1 covey anonymize eight.csv --quasi x --others drop --model k-anonymity:k=1 --method optimal-partition --min-length '{x: 7}' -o never --quiet
fails 1 covey anonymize eight.csv --quasi x --others drop --model k-anonymity:k=1 --method optimal-partition --min-length '{x: 7}' --suppression 1 -o never --quiet
echo "no split; a constant; all rows alike; k = 1"
optimal eight.csv --quasi x --others drop --model k-anonymity:k=1 --splits '{x: none}' -o r
optimal two.csv --quasi x,s --model k-anonymity:k=1 -o r
optimal two.csv --quasi x --others drop --model k-anonymity:k=2 --splits '{x: "width:3"}' -o r
optimal eight.csv --quasi x,s --model k-anonymity:k=1 -o r
optimal eight.csv --quasi x,s --model k-anonymity:k=1 --search pet -o r
optimal eight.csv --quasi x,s --model k-anonymity:k=1 --search and-or -o r
echo "entropy at its bound"
optimal eight.csv --quasi x --sensitive s --model entropy-l-diversity:l=1.5 -o r
echo "values out of bounds, and splits that are mended"
fails 2 covey anonymize eight.csv --quasi x --sensitive s --model k-anonymity:k=0 --method optimal-partition -o never --quiet
fails 2 covey anonymize eight.csv --quasi x --sensitive s --model entropy-l-diversity:l=0.5 --method optimal-partition -o never --quiet
fails 2 covey anonymize eight.csv --quasi x --sensitive s --model recursive-cl-diversity:c=0,l=2 --method optimal-partition -o never --quiet
fails 2 covey anonymize eight.csv --quasi x --sensitive s --model t-closeness:t=-1 --method optimal-partition -o never --quiet
fails 2 covey anonymize eight.csv --quasi x --others drop --model k-anonymity:k=2 --method optimal-partition --splits '{x: [inf]}' -o never --quiet
for splits in step:1e-9 step:0.000000001 step:0; do
  fails 2 covey anonymize eight.csv --quasi x --others drop --model k-anonymity:k=2 --method optimal-partition --splits "{x: \"$splits\"}" -o never --quiet
done
optimal eight.csv --quasi x --others drop --model k-anonymity:k=2 --splits '{x: "step:1/3"}' -o r
covey anonymize eight.csv --quasi x --others drop --model k-anonymity:k=2 --method optimal-partition --splits '{x: [6, 2, 2]}' -o r --force --json | figures
echo "missing cells"
printf 'x,s\n1,a\n,a\n1,a\n,b\n5,b\n5,\n' >missing.csv
optimal missing.csv --quasi x --others drop --model k-anonymity:k=2 -o r
tail -n +2 r/table.csv | cut -d, -f2 | sort | uniq -c
optimal missing.csv --quasi x --others drop --model k-anonymity:k=2 --missing-quasi drop -o r
fails 2 covey anonymize missing.csv --quasi x --others drop --model k-anonymity:k=2 --missing-quasi error --method optimal-partition -o never --quiet
fails 2 covey anonymize missing.csv --quasi x --sensitive s --model distinct-l-diversity:l=1 --method optimal-partition -o never --quiet
optimal missing.csv --quasi x --sensitive s --model k-anonymity:k=1 --missing-sensitive drop -o r
optimal missing.csv --quasi x --sensitive s --model k-anonymity:k=1 --missing-sensitive value -o r
echo "rows that are alike stay together, whatever k; a value at a threshold goes left"
printf 'x\n1\n1\n1\n1\n1\n2\n' >alike.csv
optimal alike.csv --quasi x --model k-anonymity:k=2 -o r
optimal alike.csv --quasi x --model k-anonymity:k=1 --splits '{x: [1]}' -o r
tail -n +2 r/table.csv | cut -d, -f2 | sort | uniq -c
echo "suppression: outliers, everything but them, and the limit"
printf 'x\n1\n1\n1\n1\n1\n1\n1\n1\n1\n1\n9\n' >outlier.csv
optimal outlier.csv --quasi x --model k-anonymity:k=4 --splits '{x: [5]}' --suppression 0.1 -o r
optimal outlier.csv --quasi x --model k-anonymity:k=4 --splits '{x: [5]}' --suppression 0.05 -o r
optimal outlier.csv --quasi x --model k-anonymity:k=4 --splits '{x: [5]}' -o r
echo "limits"
awk 'BEGIN { s = 7; print "x,y,z"; for (i = 0; i < 900; i++) { l = ""
  for (j = 0; j < 3; j++) { s = (s * 1103515245 + 12345) % 2147483648; l = l (j ? "," : "") int(int(s / 65536) % 60 * (int(s / 4096) % 16 + 1) / 16) } print l } }' >many.csv
for limit in '--time-limit 0' '--search and-or --node-limit 10' '--search pet --memory-limit 20kB' '--search pet --node-limit 500' '--search and-or --memory-limit 1kB' '--search dynamic'; do
  covey anonymize many.csv --quasi x,y,z --model k-anonymity:k=40 --method optimal-partition --splits '{x: "width:5", y: "width:5", z: "width:5"}' $limit -o limited --force --quiet >/dev/null
  covey verify limited --original many.csv --quiet
  python3 - <<'END'
import json
o = json.load(open("limited/manifest.json"))["objective"]
print(o["stopped"], o["optimal"], o["lower_bound"] <= o["value"], abs(o["value"] / o["lower_bound"] - o["ratio"]) < 1e-9)
END
done
echo "the optimum would suppress more than it may"
printf 'x\n1\n1\n1\n1\n1\n1\n1\n1\n1\n1\n9\n9\n' >outliers.csv
for limit in 0.1 0.2; do
  covey anonymize outliers.csv --quasi x --model k-anonymity:k=4 --method optimal-partition --splits '{x: [5]}' --suppression $limit -o limited --force --json | python3 -c 'import json, sys
j = json.load(sys.stdin); print(j["objective"], j["note"], j["suppressed_rows"])'
done
echo "kl is no sum where rows are suppressed"
fails 2 covey anonymize outliers.csv --quasi x --model k-anonymity:k=4 --method optimal-partition --cost kl --suppression 0.2 -o none --quiet
echo "rows that go one by one, because the rest could keep no promise with them: nothing is proven of that"
printf 'x,y,s\n6,6,c\n6,8,c\n4,6,d\n9,6,b\n' >single.csv
covey anonymize single.csv --quasi x,y --sensitive s --model probabilistic-l-diversity:l=3 --method optimal-partition --cost ncp --splits '{x: [7], y: none}' --suppression 1 -o single --force \
  --json | python3 -c 'import json, sys
j = json.load(sys.stdin); print(j["objective"], j["note"], j["suppressed_rows"])'
covey verify single --original single.csv --quiet
echo "so many that none is left"
printf 'x,s\n1,a\n1,a\n2,b\n' >pair.csv
fails 1 covey anonymize pair.csv --quasi x --sensitive s --model probabilistic-l-diversity:l=3 --method optimal-partition --suppression 1 -o never --quiet
echo "little memory: without a limit on time a search ends that loses what it knew again and again"
covey generate census --rows 2000 --seed 3 -o census.csv 2>&-
covey anonymize census.csv --quasi age,education --others drop --model k-anonymity:k=5 --method '{name: optimal-partition, memory-limit: 1, splits: {age: distinct, education: distinct}}' -o r --force --quiet
grep '"stopped"' r/manifest.json
