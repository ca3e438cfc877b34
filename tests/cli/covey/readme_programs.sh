# The README's program in C compiles and runs as it stands there, and its extension of SQLite answers.
build=$(dirname "$(command -v covey)")
command -v pkg-config >/dev/null || skip "there is no pkg-config"
command -v sqlite3 >/dev/null || skip "there is no sqlite3"
section() { sed -n "/^## $1/,/^## /p" "$ROOT/README.md"; }
section 'From C' | sed -n '/publish.c \*/,/^    }$/s/^    //p' >publish.c
covey generate census --rows 300 --seed 1 -o census.csv --quiet
section 'Five minutes' | sed -n '/^    version: 1/,/^$/s/^    //p' >policy.yaml
compile=$(section 'From C' | sed -n 's/^    \(cc .*publish.c .*\)/\1/p')
PKG_CONFIG_PATH=$build/meson-uninstalled LD_LIBRARY_PATH=$build bash -euc "$compile" | sed 's/ in .*/ in classes/'
section 'In a database' | sed -n 's/^    sqlite> //p' | sed "s|/usr/local/lib/covey|$build|" | sqlite3 -bail | tr '|' '\n' | wc -l
