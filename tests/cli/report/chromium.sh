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
{
    echo 'who,age,city,illness,pay'
    for i in $(seq 120); do echo "p$((i * 2 / 3)),$((20 + i * 7 % 23)),$((i * 3 % 4)),ill$((i % 7)),$((i * 37 % 90))"; done
} >rows.csv
form() { covey anonymize rows.csv --quasi age,city --others drop -o "$1" --quiet "${@:2}" >summary 2>warnings; }
form bucketized --sensitive illness --model probabilistic-l-diversity:l=3 --method anatomy
form transformed --sensitive pay --model p-private --method distribution --target uniform
form perturbed --sensitive illness --model basic-beta-likeness:beta=2 --method perturbation
form sliced --sensitive illness --model sliced-l-diversity:l=3 --method slicing
form persons --sensitive illness --entity who --model k-anonymity:k=5 --method mondrian
cp -r persons changed
sed -i 2d changed/table.csv
forms='bucketized transformed perturbed sliced persons'
for form in $forms; do covey report "$form" -o "$form.html" --quiet; done
# shellcheck disable=SC2046
look light {plain,internal}.html:{1200,360} $(printf '%s.html:1280 ' $forms)
# shellcheck disable=SC2046
look dark {plain,internal}.html:{1200,360} $(printf '%s.html:390 ' $forms)
# The changed one's page has what was found, and neither figures nor contents.
fails 1 covey report changed -o changed.html --quiet
look dark changed.html:390 | grep -vE ' problems$|^0 figures$|^only [0-9]+ texts are seen$|^not one nav$' || true
# On paper no page has a footer only.
for page in plain.html internal.html bucketized.html changed.html; do
    browse --no-pdf-header-footer --print-to-pdf="$PWD/$page.pdf" "file://$PWD/$page"
    "$ROOT/tests/support/report_paper.py" "$page.pdf"
done
