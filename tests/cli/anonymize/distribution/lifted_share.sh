# Rounding to whole weights lifts a rare value's share: the publisher is told, the release is not. Enough resolution, and nothing is said.
{ echo age,pay; for i in $(seq 300); do echo "$((20 + i % 40)),$((i <= 2 ? 9 : i % 2 + 1))"; done; } >t.csv
for resolution in 12 100 exact; do
    covey anonymize t.csv --quasi age --sensitive pay --model p-private \
        --method "{name: distribution, target: source, resolution: $resolution}" --seed 1 -o "r$resolution" 2>&1 | grep -o 'warning: dis.*' ||
        echo "$resolution: nothing to say"
done
grep -c 'is wanted' r12/manifest.json || true
