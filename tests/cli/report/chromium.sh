# The report in a real browser: desktop and phone, light and dark. No text overflows, contrasts suffice, nothing is asked of the network.
export SOURCE_DATE_EPOCH=1700000000
browser=$(command -v chromium || command -v chromium-browser || command -v google-chrome) || skip "there is no Chromium; tools/setup test installs it where it can be had"
long=$(printf 'abcdefghij%.0s' 1 2 3 4 5 6 7 8 9 10 11 12)
{
    echo 'age,city,"what <b>& who"'
    for i in $(seq 60); do echo "$((20 + i * 7 % 23)),$((i * 3 % 4)),$([ $((i % 4)) = 0 ] && echo "$long" || echo "<i>$((i % 5))</i> שלום")"; done
} >people.csv
covey anonymize people.csv --quasi age,city --sensitive 'what <b>& who' --model k-anonymity:k=4 --model enhanced-beta-likeness:beta=2 --method mondrian \
    -o release --quiet >summary
# look NAME WIDTH SCHEME: what a window of that width finds, or says that the browser does not run here.
look() {
    "$ROOT/tests/support/report_page.py" "$1" "$2"
    timeout 100 "$browser" --headless --no-sandbox --disable-gpu --disable-dev-shm-usage --hide-scrollbars --user-data-dir="$PWD/profile" \
        --virtual-time-budget=2000 --window-size=1300,1000 --blink-settings=preferredColorScheme="$3" --dump-dom "file://$PWD/$1.measured.html" >dumped 2>browser.log ||
        skip "$browser does not run here: $(tail -n 1 browser.log)"
    "$ROOT/tests/support/report_page.py" dumped
}
covey report release -o plain.html --quiet
covey report release --original people.csv -o internal.html --quiet
for page in plain.html internal.html; do
    echo "$page"
    look "$page" 1200 1
    look "$page" 1200 0
    look "$page" 360 1
    look "$page" 360 0
done
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
for form in bucketized transformed perturbed sliced persons; do
    echo "$form"
    covey report "$form" -o "$form.html" --quiet
    look "$form.html" 1280 1
    look "$form.html" 390 0
done
# The changed one's page has what was found, and neither figures nor contents.
echo changed
fails 1 covey report changed -o changed.html --quiet
look changed.html 390 0 | grep -vE ' problems$|^0 figures$|^only [0-9]+ texts are seen$|^not one nav$' || true
# On paper no page has a footer only.
for page in plain.html internal.html bucketized.html changed.html; do
    timeout 100 "$browser" --headless --no-sandbox --disable-gpu --disable-dev-shm-usage --user-data-dir="$PWD/profile" --no-pdf-header-footer \
        --print-to-pdf="$PWD/$page.pdf" "file://$PWD/$page" >dumped 2>browser.log || skip "$browser does not print here: $(tail -n 1 browser.log)"
    "$ROOT/tests/support/report_paper.py" "$page.pdf"
done
