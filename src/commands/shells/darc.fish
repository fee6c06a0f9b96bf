# fish completion of darc, which tells itself what may stand there; files, where
# it tells nothing.
function __fish_darc
    set -l word (commandline -ct)
    set -l found (darc help complete (commandline -opc)[2..] "$word")
    if set -q found[1]
        printf '%s\n' $found
    else
        __fish_complete_path "$word"
    end
end
complete -c darc -f -a '(__fish_darc)'
