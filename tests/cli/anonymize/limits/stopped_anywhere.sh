# Whatever a run is at, and whatever it waits for, the first signal ends it soon, and nothing half-written stays.
# Well below a second when nothing else runs; the bar here leaves room for a machine that is busy.
covey generate census --rows 400000 --seed 4 -o people.csv --quiet
covey generate census --rows 6000 --seed 4 -o few.csv --quiet
roles=(--quasi age,gender,education,marital,workclass --sensitive salary)
covey anonymize people.csv "${roles[@]}" --model k-anonymity:k=5 --method mondrian -o release --quiet --seed 1 2>words
covey anonymize people.csv "${roles[@]}" --model distinct-l-diversity:l=4 --method anatomy -o groups --quiet --seed 1 2>words
mkfifo pipe
python3 - "${roles[@]}" <<'END'
import os, random, signal, subprocess, sys, time

roles, bar = sys.argv[1:], 5
def anonymize(data, model, method, *more):
    return ["anonymize", data, *roles, "--model", model, "--method", method, "-o", "out/release", *more]
runs = {
    "inspect": ["inspect", "people.csv"],
    "a pipe that nobody feeds": ["inspect", "pipe"],
    "mondrian": anonymize("people.csv", "k-anonymity:k=2", "mondrian"),
    "elastic": anonymize("people.csv", "enhanced-beta-likeness:beta=2", "elastic"),
    "burel": anonymize("people.csv", "basic-beta-likeness:beta=2", "burel"),
    "sabre": anonymize("people.csv", "t-closeness:t=0.3", "sabre"),
    "peel": anonymize("people.csv", "k-anonymity:k=9", "peel"),
    "full-domain": anonymize("people.csv", "k-anonymity:k=9", "full-domain"),
    "optimal-partition": anonymize("few.csv", "k-anonymity:k=4", "optimal-partition"),
    "anatomy": anonymize("people.csv", "distinct-l-diversity:l=4", "anatomy"),
    "slicing": anonymize("people.csv", "sliced-l-diversity:l=3", "slicing"),
    "ke-permutation": anonymize("people.csv", "ke-anonymity:k=5,e=3", "ke-permutation"),
    "perturbation": anonymize("people.csv", "basic-beta-likeness:beta=2", "perturbation"),
    "in parts": anonymize("people.csv", "k-anonymity:k=9", "mondrian", "--memory-limit", "64M"),
    "compare": ["compare", "people.csv", *roles, "--model", "k-anonymity:k=9"],
    "verify": ["verify", "release", "--original", "people.csv"],
    "measure": ["measure", "release", "--original", "people.csv", "--queries", "100000"],
    "attack": ["attack", "groups", "--original", "people.csv"],
    "report": ["report", "groups", "--original", "people.csv", "-o", "out/report.html"],
    "export": ["export", "groups", "--to", "sqlite:out/release.db"],
    "generate": ["generate", "census", "--rows", "50000000", "-o", "out/many.csv"],
    "reproduce": ["reproduce", "likeness-7a", "slicing-time", "-n", "200000", "-o", "out/figures"],
}
signal.signal(signal.SIGINT, signal.SIG_DFL) # tests in the background may be told to ignore it, and covey would go on
moment = random.Random()
slowest = 0
for name, command in runs.items():
    for number in (signal.SIGTERM, signal.SIGINT):
        os.makedirs("out", exist_ok=True)
        run = subprocess.Popen(["covey", *command, "--quiet"], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        time.sleep(moment.uniform(0.02, 0.3))
        ended = run.poll() is not None
        run.send_signal(number)
        since = time.monotonic()
        try:
            code = run.wait(timeout=60)
        except subprocess.TimeoutExpired:
            run.kill()
            code = "still there after 60 s"
        seconds = time.monotonic() - since
        slowest = max(slowest, seconds)
        # A search that has something to publish does so after SIGINT; what was all but done ends as it would have.
        good = code in (0, 1, 128 + number, -number) or ended # the last: before it has a handler
        left = [entry for entry in os.listdir("out") if entry.startswith(".")]
        if code in (128 + number, -number):
            left += os.listdir("out")
        if not good or seconds > bar or left:
            print(f"{name}, signal {int(number)}: exit code {code} after {seconds:.2f} s; left: {left}")
        if os.environ.get("SHOW_SECONDS"):
            print(f"{name}: {seconds:.2f} s, exit code {code}{', had ended' if ended else ''}")
        subprocess.run(["rm", "-rf", "out"], check=True)
END
echo "nothing stays, and nobody waits"
