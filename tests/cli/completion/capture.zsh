# capture.zsh SCRIPT LINE...: for each command line, whose last word is being typed, what zsh with that script would offer, as in a terminal.
zmodload zsh/zpty || exit 77
zpty terminal zsh -f -i
until_line() { local text; zpty -r terminal text "*$1*" && REPLY=$text; }
zpty -w terminal "PROMPT= RPROMPT=; unsetopt zle_bracketed_paste prompt_cr prompt_sp; autoload -Uz compinit && compinit -u -D; source ${(q)1}"
shift
zpty -w terminal '
compadd() {
    if [[ ${@[1,(i)(-|--)]} == *-(O|A|D)\ * ]]; then
        builtin compadd "$@"
        return
    fi
    local -a hits
    local -A suffix
    builtin compadd -A hits "$@"
    (( $#hits )) && print -r -- "offer: $IPREFIX${(j: :)hits}"
    builtin compadd "$@"
}
capture() { print "begin"; _main_complete; compstate[insert]=; compstate[list]=; print "end"; }
zle -C capture complete-word capture
bindkey "^I" capture
bindkey "^U" kill-whole-line
print re''ady'
until_line $'ready'
typeset -a offers
for line; do
    zpty -w -n terminal "covey $line"$'\t'
    until_line $'\nend*\n'
    offers=(${(s: :)${(j: :)${${(M)${(f)${REPLY//$'\r'/}}:#offer: *}#offer: }}})
    print -r -- "$line:" ${(u)offers}
    zpty -w -n terminal $'\x15'
done
zpty -d terminal
