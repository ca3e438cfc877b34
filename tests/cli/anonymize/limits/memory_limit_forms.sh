# Releases without classes, part by part: what is promised, the seed that they have, a disk that is full.
covey generate census --rows 4000 --seed 5 -o people.csv --quiet
covey plan people.csv --quasi age,gender,education --sensitive salary --others drop --model enhanced-beta-likeness:beta=2 --method perturbation \
    --rows-per-part 1500 -o recipe | head -1
for part in 1 2 3; do covey part recipe $part -o part-$part --seed $part --quiet; done
covey merge recipe part-3 part-1 part-2 -o perturbed --quiet
covey verify perturbed --original people.csv | head -1
grep -E '"(form|rows|classes|seeded)"' perturbed/manifest.json
tail -n +2 perturbed/table.csv | sort -t , -k 1n,1 -s -c && echo "in order"
covey generate census --rows 150000 --seed 6 -o people.csv --force --quiet
publish() {
    covey anonymize people.csv --quasi age,gender,education --sensitive salary --others drop --memory-limit 32M --quiet "$@"
}
publish --model probabilistic-l-diversity:l=5 --method anatomy -o groups
publish --model ke-anonymity:k=5,e=10 --method ke-permutation -o ranges
for release in groups ranges; do
    covey verify $release --original people.csv --json | grep -o '"holds": *true' | sort -u
    ls $release
done
echo "-- no room"
sha256sum groups/*.csv >before
(
    ulimit -f 1500
    fails 3 publish --model probabilistic-l-diversity:l=5 --method anatomy -o groups --force 2>words
)
tail -1 words | sed "s/covey-[^/:]*/.../g"
sha256sum --check --quiet before && echo "as it was"
rm words
ls -A
