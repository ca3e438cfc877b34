# The reference of policies is at hand where there are no manual pages; help about a command fits two screens, and names where the rest is.
covey help policy | head -n 12
covey help policy | grep -c '^    [a-z]' | { read -r n && [ "$n" -gt 50 ] && echo "and more"; }
covey help policy | awk 'length > 80 && !/^    / { print "wide: " $0 }'
covey anonymize --help | grep -A 3 '^Parameters of methods'
for command in anonymize plan compare; do
    covey "$command" --help | wc -l | { read -r n && [ "$n" -le 100 ] || echo "$command: $n lines"; }
done
