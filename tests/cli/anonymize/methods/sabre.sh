# SABRE: every ground distance, its parameters, and what it cannot keep.
awk 'BEGIN { print "age,salary,disease"; split("flu cold gout acne", d); for (i = 0; i < 480; i++) print (i * 11) % 50 + 20 "," 1000 + (i * 7) % 9 * 250 "," d[i % 4 + 1] }' >people.csv
printf 'flu;breath;any\ncold;breath;any\ngout;other;any\nacne;other;any\n' >disease.csv
publish() {
    covey anonymize people.csv --quasi age --others drop --method sabre --force -o release --quiet --json "$@" >summary
    covey verify release --original people.csv --quiet
    python3 - "$*" <<'END'
import json, sys
m = json.load(open("release/manifest.json"))
p = m["promises"][-1]
assert "notes" not in m
print(sys.argv[1], "->", m["classes"], "classes,", p["achieved"], [json.load(open("summary"))["note"]])
END
}
publish --sensitive salary --model t-closeness:t=0.1,distance=ordered
publish --sensitive salary --model t-closeness:t=0.1,distance=numeric --slack 0.5
publish --sensitive salary --model t-closeness:t=0.1,distance=numeric --buckets fewest --post-split true
publish --sensitive salary --model k-anonymity:k=40 --model t-closeness:t=1/5,distance=equal --retrieve paper --seed 1
publish --sensitive disease --hierarchy disease=disease.csv --model t-closeness:t=0.3,distance=hierarchical
publish --sensitive disease --order 'disease=[cold, flu, gout, acne]' --model t-closeness:t=0.2,distance=ordered
publish --sensitive disease --model t-closeness:t=0
echo "-- refused"
refuse() {
    fails 2 covey anonymize people.csv --quasi age --others drop --method sabre -o refused --quiet "$@" 2>why
    sed 's/; methods that can.*//' why
}
refuse --sensitive disease --model t-closeness:t=0.2,distance=ordered
refuse --sensitive disease --model t-closeness:t=0.2,distance=hierarchical
refuse --sensitive salary --model t-closeness:t=0.2,distance=kl
refuse --sensitive salary --model t-closeness:t=-1
refuse --sensitive salary --model t-closeness:t=nan
refuse --sensitive salary --model basic-beta-likeness:beta=1
refuse --sensitive salary --model k-anonymity:k=2
refuse --sensitive salary --model t-closeness:t=0.2 --slack 1
refuse --sensitive salary --model t-closeness:t=0.2 --buckets few
