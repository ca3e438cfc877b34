# What a folder has of experiments is kept with --resume, whatever ended the run that made it; other options make it anew.
reproduce() {
    covey reproduce "$@" -o figures --data "$COVEY_DATA" --quiet
}
data adult/adult-capital-loss-1427.csv >/dev/null
reproduce ke-price-k
echo 'kept,1' >>figures/ke-price-k.csv
fails 2 reproduce ke-price-k ke-range
reproduce ke-price-k ke-range --resume
tail -n 1 figures/ke-price-k.csv
ls figures
python3 - <<'END'
import json
page = open("figures/index.html").read()
for e in json.load(open("figures/results.json"))["experiments"]:
    print(e["name"], e["state"], e["finding"][:10] != "" and f'id="{e["name"]}"' in page)
END
echo "-- with other options it is made again"
reproduce ke-price-k ke-range --resume --rows 5
grep -c kept figures/ke-price-k.csv || true
echo "-- killed on its way"
rm -rf figures
covey reproduce ke-price-e recoding-k ke-range -o figures --data "$COVEY_DATA" --quiet --resume &
running=$!
until [ -e figures/ke-price-e.csv ]; do sleep 0.05; done
kill -KILL $running
wait $running 2>/dev/null || true
echo 'kept,1' >>figures/ke-price-e.csv
reproduce ke-price-e ke-range --resume
tail -n 1 figures/ke-price-e.csv
ls -A . figures
echo "-- results that nobody can read keep nothing"
echo '{' >figures/results.json
reproduce ke-price-e --resume
grep -c kept figures/ke-price-e.csv || true
ls figures
echo "-- what is no folder of experiments stays"
mkdir mine
echo mine >mine/thesis
fails 2 covey reproduce ke-range -o mine --data "$COVEY_DATA" --resume --quiet
cat mine/thesis
