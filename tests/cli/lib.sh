# shellcheck shell=bash
# Helpers of the command tests; tests/cli/run reads this file before each case.

# skip REASON: gives the case up without calling it failed. Works inside $(...) too.
skip() {
    printf '%s\n' "$*" >"$TESTSKIP"
    exit 77
}

# data NAME: path of one of the large tables, which are not part of the repository (COVEY_DATA names their folder);
# skips the case where it is not there. As in: table=$(data adult/adult-48842.csv.gz)
data() {
    [ -r "$COVEY_DATA/$1" ] || skip "there is no $COVEY_DATA/$1; COVEY_DATA names the folder"
    printf '%s\n' "$COVEY_DATA/$1"
}

# fails CODE COMMAND...: the command must exit with that code; the case goes on.
fails() {
    local expected=$1 got=0
    shift
    "$@" || got=$?
    if [ "$got" != "$expected" ]; then
        printf 'expected exit code %s, got %s: %s\n' "$expected" "$got" "$*" >&2
        exit 99
    fi
}
