# Reports on paper, of every form and of a release that was changed: numbered pages, nothing torn, no heading alone, no page for a footer.
command -v pdftotext >/dev/null || skip "there is no pdftotext; tools/setup test installs it where it can be had"
forms_of_release rows.csv
for form in $forms; do covey report "$form" --original rows.csv -o "$form.html" --quiet; done
fails 1 covey report changed --original rows.csv -o changed.html --quiet
# shellcheck disable=SC2046
"$ROOT/tests/support/report_paper.py" mark all.html $(printf '%s.html ' $forms) changed.html
on_paper() { # PAGE: what is wrong with it
    browse --no-pdf-header-footer --print-to-pdf="$PWD/$1.pdf" "file://$PWD/$1.html"
    "$ROOT/tests/support/report_paper.py" "$1.pdf"
}
on_paper all
echo "-- with a style that forgets paper"
sed '/^<style>/,/<.style>/s/@bottom-right{[^}]*}\|break-[a-z]*:avoid//g; s/table-header-group/table-row-group/; s/html{font-size:10pt/td{line-height:3;orphans:1;widows:1} &/' all.html >forgets.html
on_paper forgets | grep -oE 'no number|no head|row [0-9]+ of table [0-9]+ is torn|rows is torn|stands without its' | sed -E 's/[0-9]+/N/g' | sort -u
