# A row with a city of its own is suppressed: the balanced hierarchy without it has other labels, by which the classes of all parts are put in order.
printf 'BA;uni;any\nMA;uni;any\nPhD;uni;any\nHS;school;any\nGED;school;any\n' >edu.csv
{
    echo 'city,edu,illness'
    echo 'AA,,1'
    for row in C,GED A,MA C,MA D,HS C,MA D,GED BB,BA C,GED B,HS D,MA A,BA A,HS B,BA D,HS B,BA D,GED A,MA B,HS A,GED C,HS B,MA D,GED C,HS A,MA D,HS B,HS C,MA B,GED; do
        echo "$row,$((${#row} % 3))"
    done
} >table.csv
cat >policy.yaml <<'END'
version: 1
input: {path: table.csv}
attributes:
  - {name: city, role: quasi-identifier, hierarchy: {balanced: 2}}
  - {name: edu, role: quasi-identifier, hierarchy: {file: edu.csv}}
  - {name: illness, role: sensitive}
privacy: [{model: k-anonymity, k: 3}]
method: {name: peel}
suppression: {limit: 0.3}
END
for rows in 7 11 14; do
    covey plan policy.yaml -o recipe --rows-per-part $rows --force --quiet 2>warnings
    first=1 parts=$(covey plan policy.yaml -o recipe --rows-per-part $rows --force --json --quiet 2>warnings | grep -o '"parts": *[0-9]*' | grep -o '[0-9]*$')
    rm -f part-*
    while [ $first -le "$parts" ]; do # with the next ones, as far as the rows cannot keep the promises alone
        last=$first
        until covey part recipe $first-$last table.csv -o part-$first --quiet 2>errors; do last=$((last + 1)); done
        first=$((last + 1))
    done
    covey merge recipe part-* -o release --force --quiet 2>warnings
    covey verify release --original table.csv --json --quiet | grep -E "\"(holds|faithful)\"" | sort -u
    grep suppressed_rows release/manifest.json
done
