# Sampling weights are dropped, and published only where the policy says so; then the manifest knows them for what they are.
{
    echo 'age,sex,illness,w'
    for i in 0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23; do
        echo "$((20 + i)),$([ $((i % 2)) = 0 ] && echo f || echo m),$([ $((i % 3)) = 0 ] && echo flu || echo cold),$((100 + i % 2 * 7)).5"
    done
} >people.csv
set -- --quasi age,sex --sensitive illness --model k-anonymity:k=4 --model distinct-l-diversity:l=2 --method mondrian --force
covey anonymize people.csv "$@" --sampling-weight w -o dropped >summary
head -2 dropped/table.csv
grep '"w"' dropped/manifest.json || true
echo "-- published, which tells the sex"
covey anonymize people.csv "$@" --sampling-weight w --publish w=value -o shown >summary
head -2 shown/table.csv
grep -A3 '"w"' shown/manifest.json
covey verify shown --original people.csv | tail -2
covey query shown 'SELECT SUM(w) WHERE age < 30'
echo "-- rounded"
covey anonymize people.csv "$@" --sampling-weight w --publish w=value --recode 'w={round: 50}' -o rounded >summary
head -2 rounded/table.csv
echo "-- each row has its own"
awk -F, 'NR > 1 { sub(/[^,]*$/, ""); $0 = $0 NR ".25" } 1' people.csv >unique.csv
fails 2 covey anonymize unique.csv "$@" --sampling-weight w --publish w=value -o none
covey anonymize unique.csv "$@" --sampling-weight w -o dropped >summary
echo "-- part by part"
covey anonymize people.csv "$@" --sampling-weight w --publish w=value --memory-limit 100M -o parts >summary
grep -A3 '"w"' parts/manifest.json
covey anonymize people.csv "$@" --sampling-weight w --memory-limit 100M -o parts >summary
head -2 parts/table.csv
echo "-- no weights"
for bad in 0 -1 '' x 1e999; do
    sed "5s/[^,]*\$/$bad/" people.csv >bad.csv
    fails 2 covey anonymize bad.csv "$@" --sampling-weight w -o none
    fails 2 covey anonymize bad.csv "$@" --sampling-weight w --publish w=value -o none
done
fails 2 covey anonymize people.csv "$@" --sampling-weight w,sex -o none
sed 's/w$/w,v/; 2,$s/$/,1/' people.csv >two.csv
fails 2 covey anonymize two.csv "$@" --sampling-weight w,v -o none
echo "-- a changed weight"
sed -i '2s/[^,]*$/0/' shown/table.csv
fails 1 covey verify shown
