# A program that opens a file with standard output closed would write its messages into that file; and an answer that nobody gets is none.
fails 3 covey models >&-
fails 2 covey xyzzy 2>&-
covey --version <&- >/dev/null
