# The table is a pipe that stays open, so that the run waits in the middle, its folder made.
mkfifo people.csv
# Opening a pipe waits for the other end: a run that ends before it reads must not hang the test.
open_pipe() {
    { sleep 30 && kill "$$"; } >/dev/null 2>&1 &
    local guard=$!
    exec 7>people.csv
    kill "$guard"
}
begin() {
    covey anonymize people.csv --quasi age --sensitive disease --model k-anonymity:k=2 --method mondrian -o release --quiet >summary 2>words &
    run=$!
    open_pipe
    printf 'age,disease\n20,flu\n20,cold\n' >&7
}
finish() {
    exec 7>&-
    wait "$run" || echo "exit code $?"
}
folders() {
    compgen -G '.release.covey-*' | wc -l
}
echo "-- asked to stop: nothing stays"
begin
folders
kill -TERM "$run"
sleep 0.1
finish
cat words
ls -A
echo "-- killed: a folder stays, which only its owner can read"
begin
{ # the shell's own word of it comes now or later
    kill -KILL "$run"
    finish
} 2>killed
folders
stat -c %a .release.covey-*
echo "-- and goes with the next run"
begin
folders
finish
ls -A
ls release
