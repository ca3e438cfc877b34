# Complaints about a policy file name its line and column.
printf 'age,disease\n20,flu\n30,gout\n' >people.csv
policy() {
    cat >policy.yaml
    fails 2 covey anonymize policy.yaml -o release --quiet
}
policy </dev/null
policy <<'END'
version: 2
END
policy <<'END'
version: 1
input: {path: people.csv
END
policy <<'END'
version: 1
input: {path: people.csv}
attributes:
  - {name: age, role: quasi}
END
policy <<'END'
version: 1
input: {path: people.csv}
attributes:
  - {name: age, role: quasi-identifier}
  - {name: disease, role: sensitive}
privacy:
  - {model: k-anonymity, k: two}
END
policy <<'END'
version: 1
input: {path: people.csv}
attributes:
  - {name: age, role: quasi-identifier}
  - {name: age, role: quasi-identifier}
  - {name: disease, role: sensitive}
privacy:
  - {model: k-anonymity, k: 2}
END
policy <<'END'
version: 1
input: {path: poeple.csv}
attributes:
  - {name: age, role: quasi-identifier}
  - {name: disease, role: sensitive}
privacy:
  - {model: k-anonymity, k: 2}
END
fails 2 covey anonymize nothing.yaml -o release
