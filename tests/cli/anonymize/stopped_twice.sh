# The second signal does not wait for the run to notice the first, and leaves nothing either.
mkfifo people.csv
covey anonymize people.csv --quasi age --sensitive disease --model k-anonymity:k=2 -o release >summary 2>words &
run=$!
exec 7>people.csv
until compgen -G '.release.covey-*' >/dev/null; do sleep 0.02; done
kill -TERM "$run"
sleep 0.1
kill -TERM "$run"
wait "$run" || echo "exit code $?"
ls -A
