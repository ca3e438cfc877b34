# Figures that differ from what the tables have, or stand where there is nothing to count, are problems.
covey generate census --rows 60 --seed 3 -o c.csv --quiet
columns="c.csv --quasi age,education,gender --sensitive salary --others drop --quiet"
# shellcheck disable=SC2086
covey anonymize $columns --model enhanced-beta-likeness:beta=3 --method perturbation -o perturbed
# shellcheck disable=SC2086
covey anonymize $columns --model k-anonymity:k=5 --method optimal-partition:cost=ncp -o partitioned
# state RELEASE FIGURES: verify with these figures in the manifest.
state() {
    cp "$1/manifest.json" kept.json
    python3 - "$@" <<'END'
import json, sys
manifest = json.load(open(sys.argv[1] + "/manifest.json"))
for figures in ("utility", "objective"):
    manifest[figures].update(json.loads(sys.argv[2]).get(figures, {}))
json.dump(manifest, open(sys.argv[1] + "/manifest.json", "w"))
END
    fails 1 covey verify "$1" --json | python3 -c 'import json, sys; print(*json.load(sys.stdin)["problems"], sep="\n")'
    mv kept.json "$1/manifest.json"
}
state perturbed '{"utility": {"discernibility": 60}}'
state perturbed '{"utility": {"average_class_size": 1.0}}'
state partitioned '{"objective": {"value": 1.5, "lower_bound": 1.5}}'
state partitioned '{"objective": {"value": null, "lower_bound": null}}'
# shellcheck disable=SC2086
covey anonymize $columns --model k-anonymity:k=5 --method full-domain:metric=prec -o levels
state levels '{"objective": {"value": 0.9}}'
state levels '{"objective": {"upper_bound": null}}'
covey verify perturbed --quiet
covey verify partitioned --quiet
covey verify levels --quiet
