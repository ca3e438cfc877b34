# The table is a pipe that stays open, so that the run waits in the middle, its folder made.
mkfifo people.csv
begin() {
    covey anonymize people.csv --quasi age --sensitive disease --model k-anonymity:k=2 --method mondrian -o release --quiet >summary 2>words &
    run=$!
    exec 7>people.csv
    printf 'age,disease\n20,flu\n20,cold\n' >&7
    until compgen -G '.release.covey-*' >/dev/null; do sleep 0.02; done
}
finish() {
    exec 7>&-
    wait "$run" || echo "exit code $?"
    run=
}
echo "-- asked to stop: nothing stays"
begin
kill -TERM "$run"
sleep 0.1
finish
cat words
ls -A
echo "-- killed: a folder stays, which only its owner can read"
begin
kill -KILL "$run"
finish 2>killed
stat -c %a .release.covey-*
echo "-- and goes with the next run"
begin
compgen -G '.release.covey-*' | wc -l
finish
ls -A
ls release
