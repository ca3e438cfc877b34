# The report in a real browser: desktop and phone, light and dark. No text overflows, contrasts suffice, nothing is asked of the network.
export SOURCE_DATE_EPOCH=1700000000
long=$(printf 'abcdefghij%.0s' 1 2 3 4 5 6 7 8 9 10 11 12)
{
    echo 'age,city,"what <b>& who"'
    for i in $(seq 60); do echo "$((20 + i * 7 % 23)),$((i * 3 % 4)),$([ $((i % 4)) = 0 ] && echo "$long" || echo "<i>$((i % 5))</i> שלום")"; done
} >people.csv
covey anonymize people.csv --quasi age,city --sensitive 'what <b>& who' --model k-anonymity:k=4 --model enhanced-beta-likeness:beta=2 --method mondrian \
    -o release --quiet >summary
covey report release -o plain.html --quiet
covey report release --original people.csv -o internal.html --quiet
# Every form of release, one of persons with several rows, and one that was changed.
forms_of_release rows.csv
for form in $forms; do covey report "$form" -o "$form.html" --quiet; done
# shellcheck disable=SC2046
look light {plain,internal}.html:{1200,360} $(printf '%s.html:1280 ' $forms)
# shellcheck disable=SC2046
look dark {plain,internal}.html:{1200,360} $(printf '%s.html:390 ' $forms)
# The changed one's page has what was found, and neither figures nor contents.
fails 1 covey report changed -o changed.html --quiet
look dark changed.html:390 | grep -vE ' problems$|^0 figures$|^only [0-9]+ texts are seen$|^not one nav$' || true
