# What bash would offer for a command line whose last word is being typed.
covey completion bash >script
bash -n script
# shellcheck disable=SC1091
. ./script
compopt() { :; }
offer() {
    COMP_WORDS=(covey "$@")
    COMP_CWORD=$#
    _covey
    printf '%s:' "$*"
    printf ' %s' "${COMPREPLY[@]}"
    printf '\n'
}
offer mod
offer models k-anon
offer models --qu
offer anonymize --forc
offer anonymize data.csv --method mond
offer anonymize data.csv --others i
offer help metho
offer hier
offer hierarchy ''
offer hierarchy build --outp
offer help hierarchy c
offer help models k
touch release.csv
offer anonymize rel
fails 2 covey completion tcsh
