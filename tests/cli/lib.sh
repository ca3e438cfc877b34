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

# postgresql: starts a PostgreSQL server of the case's own, which goes with the case; sets $server to its folder and $address to the
# address of its database; skips the case where there is no server to be had. tools/postgresql says more.
postgresql() {
    local tool=$ROOT/tools/postgresql code=0
    server=$("$tool" start $$ 2>server.log) || code=$?
    if [ "$code" = 77 ]; then
        skip "$(grep -m 1 skipped: server.log | sed 's/^skipped: //')"
    fi
    [ "$code" = 0 ] || { cat server.log >&2; exit 99; }
    rm -f server.log
    # shellcheck disable=SC2064
    trap "'$tool' stop '$server'" EXIT
    # shellcheck disable=SC2034
    address="postgresql://covey:s3cret%20pass@/covey?host=$server"
}

# sql [PSQL OPTION...]: runs statements on it as the owner of everything.
sql() {
    "$ROOT/tools/postgresql" sql "$server" "$@"
}

# small_release FOLDER: a release of 40 rows with a range, labels, sets in a column with quotes in its name, and a sensitive decimal.
small_release() {
    {
        echo 'age,city,"job ""now""",salary'
        for i in $(seq 40); do echo "$((20 + i * 7 % 23)),$((i * 3 % 4)),$((i * 5 % 3)),$((100 + i * 37 % 60)).$((i % 10))5"; done
    } >small.csv
    printf '0;north;*\n1;north;*\n2;south;*\n3;south;*\n' >city.csv
    cat >small.yaml <<'END'
version: 1
input: {path: small.csv}
attributes:
  - {name: age, role: quasi-identifier}
  - {name: city, role: quasi-identifier, type: text, hierarchy: {file: city.csv}}
  - {name: 'job "now"', role: quasi-identifier, type: text}
  - {name: salary, role: sensitive}
privacy:
  - {model: k-anonymity, k: 4}
  - {model: distinct-l-diversity, l: 2}
method: {name: mondrian}
END
    covey anonymize small.yaml -o "$1" --quiet >/dev/null
    rm small.csv city.csv small.yaml
}

# forms_of_release FILE: releases of one table in every form, one of persons and one of these that was changed; sets $forms to their folders
# but the last, `changed`. FILE keeps the table.
forms_of_release() {
    local form rows=$1
    {
        echo 'who,age,city,illness,pay'
        for i in $(seq 120); do echo "p$((i * 2 / 3)),$((20 + i * 7 % 23)),$((i * 3 % 4)),ill$((i % 7)),$((i * 37 % 90))"; done
    } >"$rows"
    while read -r form options; do
        # shellcheck disable=SC2086
        covey anonymize "$rows" --quasi age,city --others drop -o "$form" --quiet $options >summary 2>warnings
        forms="${forms-}$form "
    done <<'END'
bucketized --sensitive illness --model probabilistic-l-diversity:l=3 --method anatomy
permuted --sensitive pay --model ke-anonymity:k=3,e=20 --method ke-permutation
transformed --sensitive pay --model p-private --method distribution --target uniform
perturbed --sensitive illness --model basic-beta-likeness:beta=2 --method perturbation
sliced --sensitive illness --model sliced-l-diversity:l=3 --method slicing
persons --sensitive illness --entity who --model k-anonymity:k=5 --method mondrian
END
    cp -r persons changed
    sed -i 2d changed/table.csv
}

# browse [OPTION...] ADDRESS: Chromium without a window of its own; what it prints is in `dumped`. Skips the case where there is none,
# or where it does not run. A start takes seconds, so that one looks at as many pages as it can.
browse() {
    local browser
    browser=$(command -v chromium || command -v chromium-browser || command -v google-chrome) ||
        skip "there is no Chromium; tools/setup test installs it where it can be had"
    timeout 100 "$browser" --headless --no-sandbox --disable-gpu --disable-dev-shm-usage --user-data-dir="$PWD/profile" "$@" >dumped 2>browser.log ||
        skip "$browser does not run here: $(tail -n 1 browser.log)"
}

# look SCHEME PAGE:WIDTH...: what is wrong with pages in windows of these widths. SCHEME: light or dark.
look() {
    local preferred=1
    [ "$1" = light ] || preferred=0
    "$ROOT/tests/support/report_page.py" "${@:2}"
    browse --hide-scrollbars --virtual-time-budget=2000 --window-size=1300,1000 --blink-settings=preferredColorScheme=$preferred --dump-dom "file://$PWD/measured.html"
    "$ROOT/tests/support/report_page.py" dumped
}

# visits_of_eight: a table of eight patients in five homes, each with every disease once.
visits_of_eight() {
    echo home,patient,age,disease
    for p in 1 2 3 4 5 6 7 8; do
        for d in flu cold asthma gout ulcer; do echo "h$((p / 2)),p$p,$((20 + 5 * p)),$d"; done
    done
}

# visits_of_twelve: twelve patients with two visits to different wards and one disease each, and for how many people they stand.
visits_of_twelve() {
    echo patient,age,ward,disease,people
    for p in $(seq 12); do
        for visit in 1 2; do echo "p$p,$((30 + p)),$(((p + visit) % 3 + 1)),v$((p % 4)),$((100 + p))"; done
    done
}
