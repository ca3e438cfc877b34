# The index page in a real browser: desktop and phone, light and dark. No text overflows, contrasts suffice, pictures and tables are there, links lead somewhere.
mkdir none
fails 1 covey reproduce ke-correlation slicing-time ke-arbitrary recoding-k slicing-occupation -o figures --rows 600 --data none --quiet
cd figures
grep -o 'src="[^"]*"\|href="[^"#]*"' index.html | cut -d'"' -f2 | xargs ls | sort -u
look light index.html:1200 index.html:360
look dark index.html:1200 index.html:360
