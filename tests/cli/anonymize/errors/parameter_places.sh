# What a method or a model only finds out with the data is told at the line and column of the parameter that is to blame.
printf 'age,zip,pay,disease\n20,1001,100,flu\n30,1002,200,gout\n40,2001,300,cold\n50,2002,400,flu\n' >people.csv
# refused MODEL METHOD [JSON]: both on lines of their own, parameters below each other.
refused() {
    cat >policy.yaml <<EOF
version: 1
input: {path: people.csv}
attributes:
  - {name: age, role: quasi-identifier}
  - {name: zip, role: quasi-identifier}
  - {name: pay, role: ${pay:-insensitive}}
  - {name: disease, role: ${disease:-sensitive}}
privacy:
  - {model: k-anonymity, k: 1}
  - model: ${1//;/
    }
method:
  name: ${2//;/
  }
EOF
    if [ -n "${only-}" ]; then sed -i /k-anonymity/d policy.yaml; fi
    fails 2 covey anonymize policy.yaml -o release --quiet "${@:3}"
}
# models
refused 't-closeness;t: 0.2;distance: ordered' mondrian
refused 't-closeness;t: 0.2;smooth: 0.1' mondrian
refused 't-closeness;t: 0.2;log: e' mondrian
refused 't-closeness;t: 0.2;distance: hierarchical' mondrian
refused 'basic-beta-likeness;beta: 4;two-sided: {difference: 2}' mondrian
refused 'basic-beta-likeness;beta: 4;groups: [[flu, grippe]]' mondrian
refused 'basic-beta-likeness;beta: 4;proximity: {windows: 2}' mondrian
refused 'basic-beta-likeness;beta: 4;group-beta: 2' mondrian
refused 'alpha-k-anonymity;alpha: 0.5;k: 2;value: grippe' mondrian
refused 'p-sensitive-k-anonymity;p: 3;k: 2' mondrian
refused 'ke-anonymity;k: 2;e: 5' mondrian
# methods
refused 'distinct-l-diversity;l: 1' 'mondrian;splits: {ages: [30]}'
refused 'distinct-l-diversity;l: 1' 'mondrian;cuts: 3;splits: {age: [30]}'
refused 'distinct-l-diversity;l: 1' 'mondrian;publish-boxes: cut;refine: local'
refused 'distinct-l-diversity;l: 1' 'peel;until: soon'
refused 'distinct-l-diversity;l: 1' 'peel;ladders: {ages: [1, 5]}'
refused 'distinct-l-diversity;l: 1' 'peel;ladders: {age: [5, 1]}'
refused 'distinct-l-diversity;l: 1' 'optimal-partition;time-limit: soon'
refused 'distinct-l-diversity;l: 1' 'optimal-partition;memory-limit: much'
refused 'distinct-l-diversity;l: 1' 'optimal-partition;splits: [1]'
refused 'distinct-l-diversity;l: 1' 'optimal-partition;min-length: {ages: 1}'
refused 'distinct-l-diversity;l: 1' 'optimal-partition;cost: class-error;label: jobs'
refused 'distinct-l-diversity;l: 2' burel
only=yes
refused 'sliced-l-diversity;l: 2' 'slicing;columns: [[age, zip], [pays, disease]]'
refused 'sliced-l-diversity;l: 2' 'slicing;columns: [[age, zip], [pay, disease]];one-per-column: true'
refused 'sliced-l-diversity;l: 2' 'slicing;buckets: random'
disease=insensitive pay=sensitive
refused 'p-private' 'distribution;target: unifrom'
refused 'p-private' 'distribution;fakes: -1'
refused 'p-private' 'distribution;fakes: 18446744073709551616'
refused 'p-private' 'distribution;resolution: fine'
refused 'p-private' 'distribution;target: {zipf: {s: 1}};resolution: exact'
refused 'p-private' 'distribution;targets: [{group: {age: 20}}, {hierarchy: {balance: 2}}]'
refused 'p-private;target: {normal: {mean: 5, sd: 0}}' 'distribution;resolution: 12'
refused 'p-private;target: uniform' 'distribution;target: source'
refused 'p-private' 'distribution;fakes: many' --json
refused 't-closeness;t: 1/5;distance: hierarchical' mondrian --json
# a method whose classes are the groups
cat >>policy.yaml <<'END'
groups:
  method:
    name: mondrian
    splits: {ages: [30]}
  k: 2
END
sed -i 's/^  name: mondrian$/  name: distribution/; s/model: t-closeness/model: p-private/; /t: 1.5/d; /distance:/d' policy.yaml
fails 2 covey anonymize policy.yaml -o release --quiet
# a hierarchy that does not fit its column
cat >policy.yaml <<'END'
version: 1
input: {path: people.csv}
attributes:
  - {name: age, role: quasi-identifier, hierarchy: {date: [month]}}
others: drop
privacy:
  - {model: k-anonymity, k: 1}
END
fails 2 covey anonymize policy.yaml -o release --quiet
sed -i 's/date: .month./interval: {from: 0.0000001, to: 999999999999, widths: [10]}/' policy.yaml
sed -i 's/quasi-identifier, /quasi-identifier, type: decimal, /' policy.yaml
fails 2 covey anonymize policy.yaml -o release --quiet
sed -i 's/interval: .*widths: .10.}/cuts: [[0.0000001, 999999999999]]/' policy.yaml
fails 2 covey anonymize policy.yaml -o release --quiet
sed -i 's/, hierarchy: .*/, domain: [0, 999999999999]}/' policy.yaml
sed -i 's/^30,/30.0000001,/' people.csv
fails 2 covey anonymize policy.yaml -o release --quiet
