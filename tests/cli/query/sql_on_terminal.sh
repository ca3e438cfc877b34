# What steers a terminal is shown in SQL that goes to one, and left alone in SQL that goes to a program.
python3 - <<'END'
import os, pty, subprocess
with open("people.csv", "w") as file:
    file.write("age,city,disease\n" + "".join(f"{20 + i},\x1b]0;owned\x07{i % 2},{'flu' if i % 3 else 'cold'}\n" for i in range(12)))
subprocess.run(["covey", "anonymize", "people.csv", "--quasi", "age,city", "--sensitive", "disease", "--model", "k-anonymity:k=2", "--method", "mondrian",
                "-o", "release", "--quiet"], check=True)
query = ["covey", "query", "release", "SELECT COUNT(*) WHERE city = '\x1b]0;owned\x071'", "--sql"]


def on_terminal(argv):
    ours, its = pty.openpty()
    child = subprocess.Popen(argv, stdout=its)
    os.close(its)
    shown = b""
    try:
        while part := os.read(ours, 4096):
            shown += part
    except OSError:  # the other end is closed
        pass
    os.close(ours)
    return child.wait(), shown


code, shown = on_terminal(query)
piped = subprocess.run(query, check=True, capture_output=True).stdout
print("exit code", code)
print("terminal: raw", b"\x1b" in shown or b"\x07" in shown, "shown", rb"\x1b]0;owned\x071" in shown)
print("pipe: raw", b"\x1b]0;owned\x071" in piped, "shown", rb"\x1b" in piped)
END
