# Values and names that would steer a terminal, turn the direction of writing or be read as markup come out as text.
esc=$(printf '\033') rlo=$(printf '\342\200\256') lri=$(printf '\342\201\246') nel=$(printf '\302\205')
wide=$(printf '\342\200\213\357\273\277\363\240\201\201') # no width, a byte order mark, a tag
{
    echo "age,${rlo}ill<b>ness"
    for age in 20 30 40 50; do
        echo "$age,${esc}[2J<script>alert(1)</script>"
        echo "$age,=cmd|' /C calc'!A0${rlo}${lri}${nel}${wide}"
    done
} >people.csv
covey anonymize people.csv --quasi age --sensitive "${rlo}ill<b>ness" --model k-anonymity:k=4 --model distinct-l-diversity:l=2 -o release --quiet >summary
covey attack release --original people.csv --attack skewness >out
covey attack release --original people.csv >>out
grep -c "[[:cntrl:]]" out || true
grep -cE "$rlo|$lri|$nel|$wide" out || true
grep -o '\\x1b\[2J<script>[^ ]*' out | head -1
grep -oE '=cmd.*A0(\\[uU][0-9a-f]+)*' out | head -1
echo "-- as JSON"
covey attack release --original people.csv --attack skewness --json >out.json
grep -c "$esc" out.json || true
grep -o '"value": "\\u001[bB][^"]*"' out.json | head -1
echo "-- in an error"
fails 2 covey attack release --original people.csv --entity "${esc}[2J${rlo}x"
{ cat out.json; covey report release --original people.csv --format json; } | grep -cP '[^\x00-\x7f]' || true
