# --force replaces what an earlier run of the same command wrote, and nothing else.
covey generate census --rows 200 --seed 1 -o people.csv --quiet
policy=(people.csv --quasi 'age,gender' --sensitive salary --others drop --model k-anonymity:k=5)
: >talk
optimal() { covey anonymize "${policy[@]}" --method optimal-partition --quiet -o release --force "$@" >/dev/null 2>>talk; }
optimal
covey plan "${policy[@]}" --method mondrian -o recipe --quiet 2>>talk

# twice TARGET COMMAND...: writes TARGET, replaces it with --force, and spares a thesis of that name.
twice() {
    local target=$1
    shift
    "$@" >/dev/null 2>>talk
    "$@" --force >/dev/null 2>>talk
    echo 'my thesis; long' >thesis
    cp thesis "$target"
    fails 2 "$@" --force >/dev/null 2>"words"
    grep "$target" words
    cmp thesis "$target"
    : >"$target" # what is empty is no loss
    "$@" --force >/dev/null 2>>talk
    rm "$target"
    ln -s thesis "$target"
    fails 2 "$@" --force >/dev/null 2>"words"
    grep "$target" words
    rm "$target" thesis
}
for kind in census normal2d capital-loss; do
    for ending in csv csv.gz csv.zst; do twice "$kind.$ending" covey generate "$kind" --rows 9 -o "$kind.$ending"; done
done
for format in html md json; do twice report.$format covey report release -o report.$format; done
twice policy.yaml covey inspect people.csv --policy policy.yaml
twice zip.csv covey hierarchy build people.csv age '{interval: {from: 0, to: 100, widths: [5, 10]}}' -o zip.csv
twice plan covey plan "${policy[@]}" --method mondrian -o plan
twice part covey part recipe 1 -o part
optimal --trace trace.csv
optimal --trace trace.csv
for file in trace.csv trace.svg; do
    echo thesis >$file
    fails 2 optimal --trace trace.csv
    cat $file
    rm trace.csv trace.svg
    optimal --trace trace.csv
done
# A report may be of another format than what it replaces; a table is of the same kind.
covey report release -o report --format md --quiet
covey report release -o report --format html --force --quiet
covey generate normal2d --rows 9 -o plane.csv --quiet
fails 2 covey generate census --rows 9 -o plane.csv --force
# A folder of nothing is no release and no export; it may be there for somebody else.
mkdir nothing
fails 2 covey anonymize "${policy[@]}" --method mondrian -o nothing --force --quiet
for kind in csv jsonl; do fails 2 covey export release --to $kind:nothing --force; done
rmdir nothing
# A hierarchy beside a table, and folders.
echo 'my thesis' >hierarchies/gender.csv
fails 2 covey generate census --rows 9 -o others.csv
fails 2 covey generate census --rows 9 -o others.csv --force
for kind in csv jsonl; do
    covey export release --to $kind:exported --quiet
    covey export release --to $kind:exported --force --quiet
    echo mine >exported/notes
    fails 2 covey export release --to $kind:exported --force
    rm exported/notes
    fails 2 covey anonymize "${policy[@]}" --method mondrian -o exported --force --quiet
    fails 2 covey export release --to jsonl:release --force
    [ $kind = jsonl ] || fails 2 covey export release --to jsonl:exported --force
    rm -r exported
done
covey verify release --quiet
ls
