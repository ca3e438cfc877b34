# Files may not be larger, with every method that works in parts: neither the rows as they were read, nor an anonymized part, nor a table at
# the end; the release that is there stays.
covey generate census --rows 12000 --seed 5 -o people.csv --quiet
try() {
    covey anonymize people.csv --quasi age,gender,education --sensitive salary --others drop --quiet "$@"
}
model_for() {
    case $1 in
    elastic | mondrian | peel) echo k-anonymity:k=5 ;;
    burel) echo enhanced-beta-likeness:beta=40 ;;
    sabre) echo t-closeness:t=0.2,distance=ordered ;;
    perturbation) echo enhanced-beta-likeness:beta=4 ;;
    anatomy) echo probabilistic-l-diversity:l=5 ;;
    ke-permutation) echo ke-anonymity:k=2,e=1 ;;
    *) echo "method $1 works in parts: what shall it promise here?" >&2 && exit 1 ;;
    esac
}
fails 2 try --method full-domain --model k-anonymity:k=5 --memory-limit 32M -o none 2>words
methods=$(sed -n 's/.*; use //p' words | sed 's/,/ /g; s/ or / /')
for method in $methods; do
    model=$(model_for "$method")
    try --model "$model" --method "$method" -o release --force >summary 2>/dev/null
    sha256sum release/* >before
    for kib in 16 48 100; do
        (
            ulimit -f "$kib"
            fails 3 try --model "$model" --method "$method" --memory-limit 32M -o release --force 2>words
        )
        tail -1 words | sed "s/covey: /$method: /; s/covey-[^/:]*/.../g"
    done
    sha256sum --check --quiet before
done
rm words
ls -A
