# A cell that cannot fit into the memory limit is refused with its place before anything is made of it, quoted or not.
make_table() {
    printf 'age,note,disease\n20,fine,flu\n30,%s' "$1"
    head -c 200000000 /dev/zero | tr '\0' x
    printf '%s,cold\n' "$1"
}
make_table '"' | gzip -1 >quoted.csv.gz
make_table '' >plain.csv
python3 - <<'END'
import resource, subprocess
roles = ["--quasi", "age", "--sensitive", "disease", "--identifier", "note", "--model", "k-anonymity:k=1", "--method", "mondrian"]
for command, data in [("anonymize", "quoted.csv.gz"), ("anonymize", "plain.csv"), ("plan", "plain.csv")]:
    run = subprocess.run(["covey", command, data, *roles, "--memory-limit", "50M", "-o", "made", "--quiet"], capture_output=True, text=True)
    print(run.returncode, run.stderr.splitlines()[-1])
spent = resource.getrusage(resource.RUSAGE_CHILDREN)
print("within the limit" if spent.ru_maxrss < 50 << 10 else f"took {spent.ru_maxrss >> 10} MiB")
END
ls
