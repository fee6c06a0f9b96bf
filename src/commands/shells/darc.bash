# bash completion of darc, which tells itself what may stand there; files, where
# it tells nothing.
_darc() {
    local IFS=$'\n' words
    words=$(darc help complete "${COMP_WORDS[@]:1:COMP_CWORD}" | cut -f 1)
    COMPREPLY=($(compgen -W "$words" -- "${COMP_WORDS[COMP_CWORD]}"))
    [ -n "$words" ] || compopt -o default 2>/dev/null
}
complete -F _darc darc
