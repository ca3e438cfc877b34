# BUREL: three ways to find a class' rows, on a plane where the curve leads astray, and who does not know the third.
awk 'BEGIN { print "x,y,salary"; for (i = 0; i < 1024; i++) print int(i / 32) "," i % 32 "," (i * 7 + int(i / 32) * 3) % 8 * 100 }' >people.csv
publish() {
    covey anonymize people.csv --quasi x,y --sensitive salary --model basic-beta-likeness:beta=4 --method burel --force -o release --quiet --json "$@" >summary
    covey verify release --original people.csv --quiet
    python3 - "$*" <<'END'
import json, sys
s, m = json.load(open("summary")), json.load(open("release/manifest.json"))
print(sys.argv[1], "->", m["classes"], "classes, loss %.4f," % s["utility"]["ail"], m["method"]["parameters"]["retrieve"])
END
}
publish
publish --retrieve paper --seed 1
publish --retrieve nearest --seed 1
publish --retrieve nearest --post-split true --seed 1
publish --retrieve nearest --publish-boxes cut --seed 1
publish --retrieve nearest >random   # without a seed the classes differ from run to run; the promise is verified all the same
echo "-- refused"
refuse() {
    fails 2 covey anonymize people.csv --quasi x,y --sensitive salary -o refused --quiet "$@" 2>&1
}
refuse --model basic-beta-likeness:beta=4 --method burel --retrieve near
refuse --model t-closeness:t=0.2,distance=ordered --method sabre --retrieve nearest
refuse --model basic-beta-likeness:beta=4 --method elastic --retrieve nearest
