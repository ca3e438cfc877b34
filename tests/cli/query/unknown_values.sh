# A value that the release does not have is named, with the nearest; the answer stays what it is. Groups by insensitive columns where rows
# are published as they are.
command -v sqlite3 >/dev/null || skip 'there is no sqlite3'
for i in $(seq 24); do echo "$((20 + i % 6)),$( ((i % 2)) && echo Female || echo Male),$( ((i % 3)) && echo north || echo south),$((i % 4))"; done |
    sed '1i age,sex,region,disease' >people.csv
release() { covey anonymize people.csv --quasi age,sex --sensitive disease --insensitive region -o "$1" --quiet "${@:2}"; }
release generalized --model k-anonymity:k=2 --method mondrian
release bucketized --model distinct-l-diversity:l=2 --method anatomy
covey query generalized "SELECT COUNT(*) WHERE sex = 'Femal'"
covey query generalized "SELECT COUNT(*) WHERE sex IN ('Female', 'x') AND region <> 'nroth'"
covey query generalized --json "SELECT COUNT(*) WHERE region = 'sout'" | grep notes
covey query bucketized "SELECT COUNT(*) WHERE region = 'south' AND age > 21"
covey query bucketized "SELECT COUNT(*) WHERE age > 21 GROUP BY region"
for region in north south; do covey query bucketized "SELECT COUNT(*) WHERE age > 21 AND region = '$region'" | tail -1; done
covey export bucketized --to sqlite:bucketized.db --quiet
covey query bucketized --sql "SELECT COUNT(*) WHERE age > 21 GROUP BY region" >groups.sql
sqlite3 bucketized.db <groups.sql
covey query generalized "SELECT COUNT(*) WHERE age > 21 GROUP BY region, sex"
covey export generalized --to sqlite:generalized.db --quiet
covey query generalized --sql "SELECT COUNT(*) WHERE age > 21 GROUP BY region, sex" >groups.sql
sqlite3 generalized.db <groups.sql
fails 2 covey query generalized "SELECT COUNT(*) GROUP BY disease" 2>&1
fails 2 covey query bucketized "SELECT COUNT(*) GROUP BY disease" 2>&1
echo "-- the order of a text lists published values alone: suppressed rows may have others, wherever they stand in it"
printf 'age,level,ill\n20,low,flu\n20,mid,cold\n21,mid,gout\n21,low,flu\n60,high,cold\n' >levels.csv
for model in distinct-l-diversity:l=2,attribute=ill basic-beta-likeness:beta=4,attribute=level; do
    covey anonymize levels.csv --quasi age --sensitive level,ill --order 'level=[low, high, mid]' --model k-anonymity:k=2 \
        --model $model --method full-domain --suppression 0.2 --force --quiet -o levels 2>/dev/null
    grep -o '"prior"' levels/manifest.json || echo "no prior"
    for condition in "level = 'high'" "level <> 'low'" "level = 'high' AND level > 'low'" "level = 'high' AND level < 'mid'" \
        "level IN ('high', 'top') AND level <> 'mid'" "level = 'high' AND level = 'top'" "level = 'top'"; do
        covey query levels "SELECT COUNT(*) WHERE $condition" --json 2>/dev/null | grep COUNT
    done
done
echo "-- a value that only a suppressed row misses, of which the release tells nothing"
sed -i 's/,high,/,,/' levels.csv
covey anonymize levels.csv --quasi age --sensitive level,ill --missing-sensitive value --model k-anonymity:k=2 \
    --model distinct-l-diversity:l=2,attribute=ill --method full-domain --suppression 0.2 --quiet -o missing 2>/dev/null
for condition in "level IS NULL" "level IS NOT NULL" "ill IS NULL AND age IS NULL"; do
    covey query missing "SELECT COUNT(*) WHERE $condition" --json | grep COUNT
done
