# The page lists the figures that experiments show; one that cannot be made is named, and the answer is no.
mkdir none
fails 1 covey reproduce ke-correlation ke-arbitrary slicing-membership -o figures --rows 600 --data none --quiet
grep -o 'id="[a-z0-9-]*"' figures/index.html
grep -o '<th scope="row"[^>]*>[^<]*' figures/index.html | sed 's/.*>//'
ls figures
