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
# On paper no page has a footer only.
for page in plain.html internal.html; do
    timeout 100 "$browser" --headless --no-sandbox --disable-gpu --disable-dev-shm-usage --user-data-dir="$PWD/profile" --no-pdf-header-footer \
        --print-to-pdf="$PWD/$page.pdf" "file://$PWD/$page" >dumped 2>browser.log || skip "$browser does not print here: $(tail -n 1 browser.log)"
    "$ROOT/tests/support/report_paper.py" "$page.pdf"
done
