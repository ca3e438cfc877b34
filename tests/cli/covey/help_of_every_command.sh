# Each command of the overview explains itself in one way, in 80 columns, and has a manual page.
covey help | sed -n 's/^  \([a-z]\{1,\}\( [a-z]\{1,\}\)\{0,1\}\)  .*/\1/p' >commands
grep -qx anonymize commands
while read -r command; do
    # shellcheck disable=SC2086
    covey $command --help >help
    # shellcheck disable=SC2086
    covey help $command | cmp - help
    # shellcheck disable=SC2086
    covey $command -h | cmp - help
    grep -q "^Usage: covey $command" help || echo "$command: no usage"
    for option in json quiet threads seed help; do
        grep -q -- "--$option\>" help || echo "$command: --$option is not explained"
    done
    awk -v command="$command" 'length > 80 { print command ": too long: " $0 }' help
    # shellcheck disable=SC2086
    covey help --man $command >manual
    head -1 manual | grep -qx "covey-${command// /-}(1)" || echo "$command: no title in the manual"
done <commands
