# Killed while the parts lie on disk: nobody else can read them, and the next run removes them.
covey generate census --rows 150000 --seed 5 -o people.csv --quiet
begin() {
    # A run may be over before the shell looks at it: then once more.
    for _ in {1..50}; do
        rm -rf release
        covey anonymize people.csv --quasi age,gender,education,marital --sensitive salary --others drop --model k-anonymity:k=5 --method elastic \
            --memory-limit 32M -o release --quiet >summary 2>words &
        run=$!
        while kill -0 "$run" 2>no-process; do
            if compgen -G ".release.covey-$run-*/parts/rows-1" >/dev/null; then
                rm no-process
                return
            fi
            sleep 0.005
        done
        wait "$run"
    done
    echo "no run was met in the middle"
    exit 1
}
begin
{
    kill -KILL "$run"
    wait "$run" || echo "exit code $?"
} 2>killed
stat -c %a .release.covey-* .release.covey-*/parts .release.covey-*/parts/rows-1
rm -f killed
echo "-- asked to stop: nothing stays, of the run before neither"
begin
kill -TERM "$run"
wait "$run" || echo "exit code $?"
ls -A
