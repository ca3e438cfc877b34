# Whatever data, columns, files, options and forged releases hold: no command sends a byte to a terminal that could steer it, turn what
# stands there around, or hide something.
cat >walk.py <<'END'
import json, os, pty, re, shutil, subprocess, sys

BAD = "\x1b[31m|\x07|\x7f|\x9b2J|\u202e|\u2066|\u200b|\u2028|\r|\x08|\t|\n"
E = BAD.encode()
RAW = b"\x1b]0;x\x07\xff\xc2"

def name(i):
    return "%s %d" % (BAD, i)

def quoted(text):
    return '"' + text.replace('"', '""') + '"'

# A terminal changes LF to CR LF; nothing else may come that is no plain text.
ALLOWED = re.compile(r"[^\x00-\x09\x0b-\x1f\x7f-\x9f\u061c\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\U000e0000-\U000e0fff]*")
n_runs = n_silent = 0

def run(*arguments):
    """On a terminal, as a person does; and with a pipe."""
    global n_runs, n_silent
    outputs = []
    for is_terminal in (True, False):
        for path in ("new", "new.svg"):
            if os.path.isdir(path): shutil.rmtree(path)
            elif os.path.exists(path): os.remove(path)
        if is_terminal:
            ours, theirs = pty.openpty()
        else:
            ours, theirs = os.pipe()
        child = subprocess.Popen(["covey", *arguments], stdin=subprocess.DEVNULL, stdout=theirs, stderr=theirs)
        os.close(theirs)
        out = b""
        while True:
            try:
                piece = os.read(ours, 65536)
            except OSError:
                break
            if not piece:
                break
            out += piece
        os.close(ours)
        child.wait()
        if child.returncode not in (0, 1, 2):
            print("exit", child.returncode, arguments)
        if not is_terminal and ("--sql" in arguments or arguments[0] == "report"):
            continue # exact, for a program
        n_runs += 1
        n_silent += not out
        if is_terminal:
            out = out.replace(b"\r\n", b"\n")
            out = re.sub(rb"\r[^\r\n\x1b]*\x1b\[K|\r\x1b\[K", b"", out) # the progress line
        try:
            text = out.decode()
        except UnicodeDecodeError as e:
            print("no UTF-8:", arguments, e)
            continue
        if "--json" in arguments and child.returncode < 2:
            json.loads(text[text.index("{"):] if not text.startswith("[") else text)
        if not ALLOWED.fullmatch(text):
            at = ALLOWED.match(text).end()
            print("raw:", arguments, repr(text[max(0, at - 60):at + 20]))
        outputs.append(text)

# ---- a table of it ----
columns = [name(i) for i in range(3)]
data = BAD.replace("|", "") [:4] + " data.csv"
with open(data, "w", newline="") as f:
    f.write(",".join(quoted(c) for c in columns) + "\n")
    for i in range(60):
        f.write(",".join([str(20 + i % 30), quoted("%s %d" % (BAD, i % 4)), quoted("%s sick %d" % (BAD, i % 5))]) + "\n")
with open("\x1b[1mpolicy.yaml", "w") as f:
    json.dump({"version": 1, "input": {"path": data},
               "attributes": [{"name": columns[0], "role": "quasi-identifier", "type": "integer"}, {"name": columns[1], "role": "quasi-identifier"},
                              {"name": columns[2], "role": "sensitive"}],
               "privacy": [{"model": "k-anonymity", "k": 4}, {"model": "distinct-l-diversity", "l": 2}], "method": {"name": "mondrian"}}, f)
policy = "\x1b[1mpolicy.yaml"
release = "\x1b[2mrelease\x07"
for json_too in ([], ["--json"]):
    run("inspect", data, *json_too)
    run("inspect", data, "--policy", "new", *json_too)
    run("anonymize", policy, "-o", "new", *json_too)
    for method, model in (("anatomy", "probabilistic-l-diversity:l=2"), ("slicing", "sliced-l-diversity:l=2"), ("perturbation", "basic-beta-likeness:beta=3"),
                          ("auto", "k-anonymity:k=4"), ("distribution", "p-private")):
        run("anonymize", data, "--quasi", '["%s"]' % json.dumps(columns[1])[1:-1], "--others", "insensitive", "--sensitive", columns[2], "--model", model,
            "--method", method, "-o", "new", *json_too)
        with open("other.yaml", "w") as f:
            p = json.load(open(policy))
            p["privacy"] = [{"model": model.split(":")[0], **({model.split(":")[1].split("=")[0]: model.split("=")[1]} if ":" in model else {})}]
            p["method"] = {"name": method}
            json.dump(p, f)
        run("anonymize", "other.yaml", "-o", "new", *json_too)
        kept = "release " + method
        subprocess.run(["covey", "anonymize", "other.yaml", "-o", kept, "--quiet"], stderr=subprocess.DEVNULL, stdout=subprocess.DEVNULL)
        if not os.path.isdir(kept):
            continue
        for extra in ([], ["--original", data]):
            run("verify", kept, *extra, *json_too)
            run("measure", kept, *extra, *(["--queries", "20"] if extra else []), *json_too)
            run("attack", kept, *extra, *json_too)
            run("report", kept, *extra, *json_too)
        for query in ("SELECT COUNT(*) GROUP BY " + quoted(columns[1]), "SELECT COUNT(*) WHERE %s = '%s 1'" % (quoted(columns[1]), BAD),
                      "SELECT COUNT(*) WHERE %s = 1" % quoted(columns[2]), "SELECT SUM(%s)" % quoted(columns[2]), BAD, "SELECT %s" % quoted(BAD),
                      "SELECT COUNT(*) GROUP BY " + quoted(columns[0])):
            run("query", kept, query, *json_too)
            run("query", kept, query, "--sql")
        run("export", kept, "--to", "csv:new", *json_too)
        run("export", kept, "--to", "sqlite:new", *json_too)
    shutil.rmtree(release, ignore_errors=True)
    subprocess.run(["covey", "anonymize", policy, "-o", release, "--quiet"], stderr=subprocess.DEVNULL, stdout=subprocess.DEVNULL, check=True)
    for command in ("verify", "measure", "attack", "report"):
        run(command, release, *json_too)
        run(command, release, "--original", data, *json_too)
        run(command, BAD, *json_too)
    run("attack", release, "--attack", "re-identification", "--attack", "rare-values", "--original", data, *json_too)
    run("attack", release, "--attack", BAD, *json_too)
    run("attack", release, "--with", release, "--original", data, *json_too)
    run("attack", release, "--ledger", "\x1b[1mledger", *json_too)
    run("compare", policy, "--queries", "5", *json_too)
    run("plan", policy, "-o", "new", *json_too)
    subprocess.run(["covey", "plan", policy, "-o", "\x1b[1mrecipe", "--force", "--quiet"], stderr=subprocess.DEVNULL)
    run("part", "\x1b[1mrecipe", "1", "-o", "new", *json_too)
    run("part", "\x1b[1mrecipe", BAD, "-o", "new", *json_too)
    subprocess.run(["covey", "part", "\x1b[1mrecipe", "1", "-o", "\x1b[1mpart", "--force", "--quiet"], stderr=subprocess.DEVNULL)
    run("merge", "\x1b[1mrecipe", "\x1b[1mpart", "-o", "new", *json_too)
    run("merge", "\x1b[1mrecipe", BAD, "-o", "new", *json_too)
    run("generate", BAD, "--rows", "3", "-o", "new", *json_too)
    run("generate", "normal2d", "--rows", BAD, "-o", "new", *json_too)
    run("generate", "normal2d", "--rows", "3", "-o", "\x1b[1mmade.csv", "--force", *json_too)
    run("hierarchy", "build", data, columns[1], "{balanced: 2}", "-o", "new", *json_too)
    run("hierarchy", "build", data, BAD, "{balanced: 2}", "-o", "new", *json_too)
    run("hierarchy", "build", data, columns[0], BAD, "-o", "new", *json_too)
    with open("\x1b[1mtree.csv", "w", newline="") as f:
        for i in range(4):
            f.write("%s;%s;*\n" % (quoted("%s %d" % (BAD, i)), quoted("%s %d" % (BAD, i // 2))))
    run("hierarchy", "check", "\x1b[1mtree.csv", *json_too)
    run("hierarchy", "check", "\x1b[1mtree.csv", data, columns[1], *json_too)
    run("hierarchy", "check", "\x1b[1mtree.csv", data, columns[2], *json_too)
    run("reproduce", BAD, "-o", "new", *json_too)
    for listing in ("models", "methods", "attacks", "formats"):
        run(listing, BAD, *json_too)
        run(listing, *json_too)
    run("export", release, "--to", BAD, *json_too)
    run("completion", BAD, *json_too)
    run(BAD, *json_too)
    run("help", BAD)
    run("--" + BAD)
    run("models", "--" + BAD)
    run("verify", "/dev/null/" + BAD, *json_too)

    # ---- files that are broken where they hold it ----
    for key in ("version", "input", "attributes", "privacy", "method", "suppression", BAD):
        p = json.load(open(policy))
        p[key] = BAD
        json.dump(p, open("other.yaml", "w"))
        run("anonymize", "other.yaml", "-o", "new", *json_too)
    for change in ({"role": BAD}, {"type": BAD}, {"name": BAD}, {"hierarchy": {BAD: 1}}, {"hierarchy": {"file": BAD}}, {"order": [BAD]}, {"weight": BAD}, {BAD: 1}, {"domain": [BAD, 1]}):
        p = json.load(open(policy))
        p["attributes"][1].update(change)
        json.dump(p, open("other.yaml", "w"))
        run("anonymize", "other.yaml", "-o", "new", *json_too)
    for text in (RAW, b"a,b\n" + RAW + b",1\n", RAW + b",b\n1\n", b"a,b\n1,2,3" + E + b"\n", b'a,b\n"' + E + b'"x,1\n', b"a,a" + E + b",a" + E + b"\n1,2,3\n"):
        open("broken.csv", "wb").write(text)
        run("inspect", "broken.csv", *json_too)
        run("anonymize", "broken.csv", "--quasi", "a", "--others", "drop", "--model", "k-anonymity:k=1", "--method", "mondrian", "-o", "new", *json_too)
        run("verify", "release anatomy", "--original", "broken.csv", *json_too)
    # ---- releases that are forged ----
    def forge(value, into, key=None):
        shutil.rmtree("forged", ignore_errors=True)
        shutil.copytree(release, "forged")
        m = json.load(open("forged/manifest.json"))
        into(m)
        json.dump(m, open("forged/manifest.json", "w"))
        run("verify", "forged", *json_too)
        run("query", "forged", "SELECT COUNT(*)", *json_too)
        run("report", "forged", *json_too)
        run("measure", "forged", *json_too)
        run("attack", "forged", *json_too)
        run("export", "forged", "--to", "csv:new", *json_too)
    forge(BAD, lambda m: m.update(form=BAD))
    forge(BAD, lambda m: m["method"].update(name=BAD))
    forge(BAD, lambda m: m["promises"][0].update(model=BAD))
    forge(BAD, lambda m: m["promises"][0].update(threshold=BAD))
    forge(BAD, lambda m: m["columns"][0].update(name=BAD))
    forge(BAD, lambda m: m["columns"][0].update(type=BAD))
    forge(BAD, lambda m: m["files"][0].update(name=BAD))
    forge(BAD, lambda m: m.update(presets=[BAD]))
    forge(BAD, lambda m: m.update(missing=[BAD]))
    forge(BAD, lambda m: m.update(notes=[BAD]))
    forge(BAD, lambda m: m.update(objective={"name": BAD, "value": 1}))
    forge(BAD, lambda m: m.update({BAD: BAD}))
    shutil.rmtree("forged", ignore_errors=True)
    shutil.copytree(release, "forged")
    open("forged/" + BAD.replace("/", ""), "w").close()
    run("verify", "forged", *json_too)
    table = open("forged/table.csv", "rb").read()
    open("forged/table.csv", "wb").write(table.replace(b"sick 1", RAW))
    run("verify", "forged", *json_too)
    run("anonymize", policy, "-o", "forged", "--force", *json_too)
print("all inert" if n_runs > 500 and n_silent < n_runs / 5 else (n_runs, n_silent))
END
python3 walk.py
