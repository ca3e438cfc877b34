# Killed while the parts lie on disk: nobody else can read them, and the next run removes them.
covey generate census --rows 150000 --seed 5 -o people.csv --quiet
# Halts a run while its parts lie on disk. A run may be over before the shell looks at it, or before it halts: then once more.
begin() {
    local state
    for _ in {1..50}; do
        rm -rf release
        covey anonymize people.csv --quasi age,gender,education,marital --sensitive salary --others drop --model k-anonymity:k=5 --method elastic \
            --memory-limit 32M -o release --quiet >summary 2>words &
        run=$!
        while kill -0 "$run" 2>no-process; do
            if compgen -G ".release.covey-$run-*/parts/rows-1" >/dev/null && kill -STOP "$run" 2>no-process; then
                state=R
                until [ "$state" = T ] || [ "$state" = Z ]; do
                    { read -r _ _ state _ <"/proc/$run/stat"; } 2>no-process || state=Z
                done
                rm -f no-process
                [ "$state" = T ] && compgen -G ".release.covey-$run-*/parts/rows-1" >/dev/null && return
                [ "$state" = Z ] || kill -CONT "$run"
                break
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
kill -CONT "$run"
wait "$run" || echo "exit code $?"
ls -A
