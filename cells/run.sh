name=$1; csv=$2; shift 2; qi=$(IFS=,; echo "$*")
h=(); if [ -n "$HIER" ]; then for q in "$@"; do [ -f $HIER$q.csv ] && h+=(--hierarchy $q=$HIER$q.csv); done; fi
covey anonymize $csv --quasi $qi --others drop "${h[@]}" $X --model k-anonymity:k=$K --method ${M:-peel} -o $name --links $name.links --force --seed 1 | grep -E "published|information loss|Release"
