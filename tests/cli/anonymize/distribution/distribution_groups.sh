# Groups by a level, by quantiles, or another method's classes; each group may have a target and a hierarchy of its own.
cat >t.csv <<'END'
zip,age,salary
91110,20,30
91110,25,40
91120,30,50
91120,35,60
91210,40,40
91220,45,30
91230,50,50
91310,55,60
91320,60,60
91330,65,70
91340,70,40
END
cat >policy.yaml <<'END'
version: 1
input: {path: t.csv}
attributes:
  - {name: zip, role: quasi-identifier, type: text, hierarchy: {mask: 5}}
  - {name: age, role: quasi-identifier}
  - {name: salary, role: sensitive}
privacy: [{model: p-private}]
method: {name: distribution}
END
show() {
    rm -rf release
    covey anonymize policy.yaml -o release --quiet "$@" >/dev/null
    covey verify release --original t.csv | tail -1
    cat release/sensitive.csv
    cat release/groups.csv 2>/dev/null || echo "one target"
}
printf '%s\n' '30;30..50;*' '40;30..50;*' '50;30..50;*' '60;60..70;*' '70;60..70;*' >tree.csv
show --groups '{by: [{attribute: zip, level: 2}]}' \
    --targets '[{group: {zip: "911**"}, target: uniform, hierarchy: {balanced: 2}}, {group: {zip: "913**"}, target: {zipf: {s: 1}}, hierarchy: {file: tree.csv}}]'
cat release/target.csv
cp -r release by-file
show --groups '{by: [{attribute: zip, level: 2}]}' --targets '[{group: {zip: "911**"}, target: uniform, hierarchy: {balanced: 2}}, {group: {zip: "913**"},
    target: {zipf: {s: 1}}, hierarchy: {lines: [[30, 30..50, "*"], [40, 30..50, "*"], [50, 30..50, "*"], [60, 60..70, "*"], [70, 60..70, "*"]]}}]' >/dev/null
cmp release/target.csv by-file/target.csv && echo "the lines of a file say what it says"
covey query release 'SELECT SUM(salary), MIN(salary), MAX(salary) WHERE age <= 30 OR age >= 65' --json
show --groups '{by: [{attribute: age, quantiles: 2}]}' --targets '[{target: source}]'
show --groups '{method: {name: mondrian}, k: 5}' --target uniform
show --groups '{method: {name: mondrian}, k: 3}' --targets '[{group: {zip: "911**"}, target: uniform, hierarchy: {interval: {from: 30, to: 69, widths: [10, 20]}}}]' \
    --target '{zipf: {s: 1}}'
show --groups '{by: [{attribute: zip, level: 2}]}' --scheme qi-sa --target uniform | tail -5
# What fits no group, no label or no hierarchy is refused, and nothing is left behind.
rm -rf release
fails 2 covey anonymize policy.yaml -o none --targets '[{group: {zip: "911**"}, target: uniform}]'
fails 2 covey anonymize policy.yaml -o none --groups '{by: [{attribute: zip, level: 2}]}' --targets '[{group: {zip: "999**"}, target: uniform}]'
fails 2 covey anonymize policy.yaml -o none --groups '{by: [{attribute: zip, level: 2}]}' --targets '[{group: {age: 20}, target: uniform}]'
fails 2 covey anonymize policy.yaml -o none --groups '{by: [{attribute: zip, level: 2}]}' --targets '[{hierarchy: {balanced: 1}}]'
fails 2 covey anonymize policy.yaml -o none --groups '{by: [{attribute: zip, level: 2}]}' --targets '[{target: unifrom}]'
fails 2 covey anonymize policy.yaml -o none --resolution exact --target '{zipf: {s: 1}}'
fails 2 covey anonymize policy.yaml -o none --groups '{by: [{attribute: zip, level: 2}]}' --targets '[{hierarchy: {interval: {from: 0, to: 99, widths: [x]}}}]'
fails 2 covey anonymize policy.yaml -o none --groups '{by: [{attribute: zip, level: 2}]}' --targets '[{group: {zip: [911, 912]}, target: uniform}]'
fails 2 covey anonymize policy.yaml -o none --groups '{method: {name: mondrian}, k: 3}' --targets '[{group: {zapp: 1}, target: uniform}]'
printf '%s\n' '30;*' '40;*' >short.csv
fails 2 covey anonymize policy.yaml -o none --groups '{by: [{attribute: zip, level: 2}]}' --targets '[{hierarchy: {file: short.csv}}]'
# A value that the column has, but not the group's own hierarchy, is told with the group.
printf 'value,share\n50,1\n70,2\n' >shares.csv
fails 2 covey anonymize policy.yaml -o none --groups '{by: [{attribute: zip, level: 2}]}' --targets '[{group: {zip: "911**"}, target: {file: shares.csv}, hierarchy: {balanced: 2}}]'
printf 'value,share\n30,1\n31,2\n' >shares.csv
fails 2 covey anonymize policy.yaml -o none --groups '{by: [{attribute: zip, level: 2}]}' --targets '[{group: {zip: "911**"}, target: {file: shares.csv}}]'
fails 2 covey anonymize policy.yaml -o none --targets '[{target: {file: shares.csv}, hierarchy: {balanced: 2}}]'
ls -d none 2>/dev/null || echo "nothing"
# Every kind of hierarchy that a sensitive attribute can have, a group can have for itself; what does not suit the column says so.
printf 'zip,age,salary,born\n91123,20,30,1990-01-02\n91124,20,40,1990-02-02\n91223,30,30,1990-02-05\n94123,30,50,1992-03-05\n94124,30,70,1993-03-05\n' >u.csv
other() {
    column=$1 tree=$2
    shift 2
    covey anonymize u.csv --quasi age --sensitive "$column" --others drop --model p-private --method distribution --target uniform "$@" \
        --groups '{by: [age]}' --targets "[{group: {age: 30}, hierarchy: $tree}]" -o other --force --quiet &&
        covey verify other --original u.csv --quiet && grep '^2,' other/target.csv | cut -d, -f2-5
}
other salary '{cuts: [[40, 60], [60]]}'
other born '{date: [month, year]}'
other zip '{mask: 2}' --type zip=text --hierarchy 'zip={balanced: 2}'
fails 2 other salary '{date: [month]}'
fails 2 other zip '{cuts: [[1, 2]]}' --type zip=text --hierarchy 'zip={balanced: 2}'
fails 2 other born '{interval: {from: 0, to: 9, widths: [3]}}'
fails 2 other salary '{cuts: [40, 60]}'
fails 2 other salary '{date: {month: 1}}'
fails 2 other salary '{mask: 0}'
fails 2 other salary '{lines: [30, low]}'
fails 2 other salary '{lines: [[30]]}'
fails 2 other salary '{lines: [[30, low, "*"], [30, high, "*"]]}'
fails 2 other salary '{lines: [[31, low, "*"]]}'
# Numbers with different digits stand in a release as the attribute's hierarchy has them; a group's own hierarchy has no other values.
printf 'age,pay\n1,-2\n1,0.5\n2,1.25\n2,-2.00\n3,0.5\n' >digits.csv
printf '%s\n' '-2;a;*' '0.5;a;*' '1.25;b;*' '7;b;*' >more.csv
digits() {
    covey anonymize digits.csv --quasi age --sensitive pay --model p-private --method distribution "$@" -o digits --force --quiet &&
        covey verify digits --original digits.csv --quiet && cut -d, -f1-4 digits/target.csv
}
digits --hierarchy 'pay={balanced: 2}'
digits --groups '{by: [age]}' --targets '[{group: {age: 2}, hierarchy: {file: more.csv}}]' | grep '^2'
fails 2 digits --hierarchy 'pay={balanced: 2}' --groups '{by: [age]}' --targets '[{group: {age: 2}, hierarchy: {file: more.csv}}]'
echo "-- a group with a hierarchy of its own before one without"
printf 'g,s\na,10\na,20\na,30\nb,1\nb,2\n' >two.csv
covey anonymize two.csv --quasi g --sensitive s --model p-private --groups '{by: [g]}' --resolution exact \
    --targets '[{group: {g: a}, target: source, hierarchy: {balanced: 2}}]' --method distribution -o two --quiet
covey verify two --original two.csv --quiet
cat two/sensitive.csv
