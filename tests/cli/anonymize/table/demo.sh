# `make demo` goes all the way, on fewer rows.
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../../../.." && pwd)
BUILD=$(dirname "$(command -v covey)") DEMO=$PWD/demo ROWS=2000 "$root/tools/demo" >steps
grep '^\$' steps
tail -1 steps
ls demo demo/release
