# words - of the lists in words.txt C macros, to stand in the braces of an array.
# usage: awk -f words.awk words.txt

function finish() {
    if (name != "")
        print "#define DARC_WORDS_" toupper(name) " " list
    list = value = ""
}

/^## / {
    finish()
    name = $2
    prefix = $3
    next
}
/^#( |$)/ || NF == 0 {
    next
}
{
    line = $0
    if (match(line, /^([A-Z0-9e.-]+|["'][^"']+["']):/)) {
        value = prefix substr(line, 1, RLENGTH - 1)
        line = substr(line, RLENGTH + 1)
    }
    sub(/^ +/, "", line)
    sub(/,$/, "", line)
    n = split(line, word, /, */)
    for (i = 1; i <= n; i++)
        list = list (list == "" ? "" : ", ") \
            "{\"" word[i] "\", " (value == "" ? 1 : value) "}"
}

END {
    finish()
}
