# What zsh would offer for a command line whose last word is being typed, and what it says of an option.
command -v zsh >/dev/null || skip "there is no zsh; tools/setup test installs it"
covey completion zsh >_covey
zsh -n _covey
grep -F -m 1 -- "'*--quiet[" _covey
touch release.csv
mkdir release
code=0
zsh -f "$ROOT/tests/cli/completion/capture.zsh" "$PWD/_covey" \
    'mod' \
    'models k-anon' \
    'models --qu' \
    'anonymize --forc' \
    'anonymize data.csv --method mond' \
    'anonymize data.csv --others i' \
    'anonymize --model k-an' \
    'help metho' \
    'hier' \
    'hierarchy ' \
    'hierarchy build --outp' \
    'help hierarchy c' \
    'help models k' \
    'query release --sql=s' \
    'anonymize rel' \
    'anonymize -o rel' \
    'verify rel' \
    'models --json k-anon' || code=$?
[ "$code" != 77 ] || skip "this zsh has no zpty"
[ "$code" = 0 ]
# As a file that zsh finds by itself.
zsh -f -c 'fpath=($PWD $fpath); autoload -Uz compinit; compinit -u -D; print $_comps[covey]'
# Every option, whatever stands in its help; those of methods, too.
options() { tr -s ' ' '\n' | sed -n 's/^\(--[a-z-]*\).*/\1/p' | grep -x -- '--[a-z-]*[a-z]' | sort -u; }
{
    covey anonymize --help | sed 's/, --/ --/; s/^ *\(-[a-z] \)\?\(--[a-z-]*\).*/\2/'
    covey methods | sed -n 's/^    \([a-z-]*\): .*/--\1/p' | grep -vxE -- '--(groups|keeps|persons|publishes|source)'
} | options >all
zsh -f "$ROOT/tests/cli/completion/capture.zsh" "$PWD/_covey" 'anonymize --' | sed 's/^anonymize --: //' | options | diff all -
