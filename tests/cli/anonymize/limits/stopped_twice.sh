# The second signal does not wait for the run to notice the first, and leaves nothing either.
mkfifo people.csv
# Opening a pipe waits for the other end: a run that ends before it reads must not hang the test.
open_pipe() {
    { sleep 30 && kill "$$"; } >/dev/null 2>&1 &
    local guard=$!
    exec 7>people.csv
    kill "$guard"
}
covey anonymize people.csv --quasi age --sensitive disease --model k-anonymity:k=2 -o release >summary 2>words &
run=$!
open_pipe
compgen -G '.release.covey-*' | wc -l
kill -TERM "$run"
sleep 0.1
kill -TERM "$run"
wait "$run" || echo "exit code $?"
ls -A
