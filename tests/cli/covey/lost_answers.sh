# An answer that could not be written is exit 3, of every command and in whatever way it is lost.
small_release release
printf 'age,pay\n20,1\n30,2\n40,3\n50,4\n' >people.csv
covey plan people.csv --quasi age --sensitive pay --model k-anonymity:k=2 --method mondrian -o recipe --quiet 2>/dev/null
covey part recipe 1 -o part --quiet
n=0

# lost COMMAND...: what it writes goes nowhere. "NEW" is a name that is not taken.
lost() {
    n=$((n + 1))
    fails 3 covey "${@/NEW/a$n}" >&-
    fails 3 covey "${@/NEW/b$n}" >/dev/full
}
{
    lost --version
    lost --help
    lost help
    lost help query
    lost help --man query
    lost hierarchy --help
    lost completion bash
    for command in $(covey help | sed -n '/^Commands:/,/^$/s/^  \([a-z]*\) .*/\1/p' | sort -u); do
        [ "$command" = hierarchy ] || lost "$command" --help
    done
    for list in models methods attacks formats; do
        lost $list
        lost $list --json
    done
    for json in "" --json; do
        lost inspect people.csv $json
        lost anonymize people.csv --quasi age --sensitive pay --model k-anonymity:k=2 --method mondrian -o NEW $json
        lost plan people.csv --quasi age --sensitive pay --model k-anonymity:k=2 --method mondrian -o NEW $json
        lost part recipe 1 -o NEW $json
        lost merge recipe part -o NEW $json
        lost verify release $json
        lost query release 'SELECT COUNT(*), AVG(salary) WHERE age < 30' $json
        lost query release 'SELECT COUNT(*) GROUP BY age' $json
        lost measure release $json
        lost attack release $json
        lost compare people.csv --quasi age --sensitive pay --model k-anonymity:k=2 $json
        lost report release $json
        lost report release -o NEW $json
        lost export release --to csv:NEW $json
        lost generate normal2d -n 5 -o NEW $json
        lost hierarchy build people.csv age '{balanced: 2}' -o NEW $json
        lost reproduce $json
    done
    lost query release 'SELECT COUNT(*)' --sql
} 2>words
grep -v '^covey: standard output: cannot be written\(: it is closed\|: No space left on device\|\)$' words | sort -u
fails 3 covey generate normal2d -n 5 -o /dev/stdout --quiet >/dev/full
# What says nothing loses nothing.
covey verify release --quiet >&-
covey verify release --quiet >/dev/full
# A pipe that nobody reads.
(trap '' PIPE; { sleep 0.2; fails 3 covey models; } | true)
