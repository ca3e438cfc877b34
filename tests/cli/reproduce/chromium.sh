# The index page in a real browser: desktop and phone, light and dark. No text overflows, contrasts suffice, pictures and tables are there, links lead somewhere.
browser=$(command -v chromium || command -v chromium-browser || command -v google-chrome) || skip "there is no Chromium; tools/setup test installs it where it can be had"
mkdir none
fails 1 covey reproduce ke-correlation slicing-time ke-arbitrary recoding-k slicing-occupation -o figures --rows 600 --data none --quiet
cd figures
grep -o 'src="[^"]*"\|href="[^"#]*"' index.html | cut -d'"' -f2 | xargs ls | sort -u
# look WIDTH SCHEME: what a window of that width finds, or says that the browser does not run here.
look() {
    "$ROOT/tests/support/report_page.py" index.html "$1"
    timeout 100 "$browser" --headless --no-sandbox --disable-gpu --disable-dev-shm-usage --hide-scrollbars --user-data-dir="$PWD/profile" \
        --virtual-time-budget=2000 --window-size=1300,1000 --blink-settings=preferredColorScheme="$2" --dump-dom "file://$PWD/index.html.measured.html" >dumped 2>browser.log ||
        skip "$browser does not run here: $(tail -n 1 browser.log)"
    "$ROOT/tests/support/report_page.py" dumped
}
look 1200 1
look 1200 0
look 360 1
look 360 0
