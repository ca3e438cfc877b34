# What fish would offer for a command line whose last word is being typed, with what it says of it.
command -v fish >/dev/null || skip "there is no fish; tools/setup test installs it"
covey completion fish >covey.fish
fish --no-execute covey.fish
touch release.csv
mkdir release
for line in 'mod' \
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
    'models --json k-anon'; do
    printf '%s:\n' "$line"
    # shellcheck disable=SC2016
    fish --no-config -c 'source covey.fish; complete -C $argv[1]' "covey $line" | tee last | cut -f 1 | sort
    [ "$line" != 'models --qu' ] || cat last
done
# Every option, whatever stands in its help; those of methods, too.
options() { sed -n 's/^\(--[a-z-]*\).*/\1/p' | sort -u; }
{
    covey anonymize --help | sed 's/, --/ --/; s/^ *\(-[a-z] \)\?\(--[a-z-]*\).*/\2/'
    covey methods | sed -n 's/^    \([a-z-]*\): .*/--\1/p' | grep -vxE -- '--(groups|keeps|persons|publishes|source)'
} | options >all
# shellcheck disable=SC2016
fish --no-config -c 'source covey.fish; complete -C $argv[1]' 'covey anonymize --' | options | diff all -
