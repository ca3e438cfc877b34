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
# Costs that are about a label, and what full-domain measures beside losses, are counted again; a level is that of the cells.
for objective in optimal-partition:cost=class-error optimal-partition:cost=class-entropy full-domain:metric=cavg full-domain:metric=height full-domain:metric=loss; do
    # shellcheck disable=SC2086
    covey anonymize $columns --model k-anonymity:k=5 --method $objective -o searched --force
    state searched '{"objective": {"value": 7.5, "lower_bound": null, "optimal": false, "ratio": null}}'
done
state searched '{"objective": {"levels": {"age": 0, "education": 1, "gender": 1}}}'
# Classes whose published regions are alike are one class, which costs more than the two that were found.
python3 - <<'END2'
import random
random.seed(4)
with open("joined.csv", "w") as out:
    print("age,zip,job", file=out)
    for _ in range(64):
        print(random.randrange(20, 60), "z%d%d" % (random.randrange(10), random.randrange(3)), random.choice("abcd"), sep=",", file=out)
with open("zip.csv", "w") as out:
    for a in range(10):
        for b in range(3):
            print("z%d%d;z%d*;%s;*" % (a, b, a, "low" if a < 4 else "high"), file=out)
END2
for cost in class-error class-entropy kl; do
    covey anonymize joined.csv --quasi age,zip --sensitive job --hierarchy zip=zip.csv --model k-anonymity:k=4 --method "{name: optimal-partition, cost: $cost, publish-boxes: cut}" -o joined --force --quiet
    python3 -c 'import json; print(*json.load(open("joined/manifest.json"))["objective"].values())'
    covey verify joined --quiet
done
# The label of a node is that of the hierarchy, or says its ends, also where both tables agree on another one.
printf 'a;v;*\nb;v;*\nc;w;*\nd;w;*\n' >job.csv
for how in job=job.csv "age={balanced: 2}" age; do
    case "$how" in
        *=*) set -- --sensitive "${how%%=*}" --hierarchy "$how" ;;
        *) set -- --sensitive "$how" ;;
    esac
    covey anonymize joined.csv --quasi zip "$@" --others drop --model p-private --method distribution -o labels --force --quiet
    covey verify labels --quiet
    for line in 2 3 5; do
        cp -r labels forged
        python3 - "$line" <<'END2'
import sys
node = open("forged/target.csv").read().split("\n")[int(sys.argv[1]) - 1].split(",")[1:4]
print(*node, sep=",")
for name in "forged/target.csv", "forged/sensitive.csv":
    lines = [line.split(",") for line in open(name).read().split("\n")]
    with open(name, "w") as out:
        print(*[",".join(line[:3] + ["other"] + line[4:] if line[1:4] == node else line) for line in lines], sep="\n", end="", file=out)
END2
        fails 1 covey verify forged --json | python3 -c 'import json, sys; print(*[p for p in json.load(sys.stdin)["problems"] if "label" in p], sep="\n")'
        rm -r forged
    done
done
covey verify perturbed --quiet
covey verify partitioned --quiet
covey verify levels --quiet
