# Values that would be markup, formulas, or turn the direction of writing: none of it reaches a reader.
export SOURCE_DATE_EPOCH=1700000000
printf 'age,<b>note</b>\n' >bad.csv
for value in '<script>alert(1)</script>' '"><img src=x onerror=alert(1)>' '=HYPERLINK("x")' $'a\xe2\x80\xaeb' $'c\x1b[31md' '</style></svg>' '[x](http://e)' '| a | `b`'; do
    printf '20,"%s"\n30,"%s"\n' "${value//\"/\"\"}" "${value//\"/\"\"}"
done >>bad.csv
covey anonymize bad.csv --quasi age --sensitive '<b>note</b>' --model k-anonymity:k=2 --model distinct-l-diversity:l=2 --method mondrian -o release --quiet >summary
covey report release -o report.html --quiet
grep -c '<script\|<img\|<b>\|onerror=alert(1)>' report.html || true
grep -o '&lt;script&gt;alert(1)&lt;/script&gt;' report.html | sort -u
python3 - <<'END'
import html.parser, unicodedata
text = open("report.html", encoding="utf-8").read()
print("control and bidirectional:", sorted({hex(ord(c)) for c in text if unicodedata.category(c) in ("Cc", "Cf") and c != "\n"}))
class Tags(html.parser.HTMLParser):
    seen = set()
    def handle_starttag(self, tag, attributes):
        Tags.seen.add(tag)
        assert not any(name.startswith("on") or name in ("style", "src") for name, _ in attributes), attributes
Tags().feed(text)
print(sorted(Tags.seen))
END
covey report release --format md | grep -n 'script\|HYPERLINK\|http' | sed -n 1,4p
covey report release --original bad.csv --format html | grep -c 'INTERNAL'
covey report release --original bad.csv --format md | sed -n 5p
