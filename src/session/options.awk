# options - of the table of options what options.h includes.
# usage: awk -f options.awk options.txt
#
# A row becomes X(id, name, argument, kind, least, greatest, default, commands,
# help).

function quoted(s) {
    gsub(/"/, "\\\"", s)
    gsub(/\\n/, "\\n" sprintf("%28s", ""), s)
    return s == "" ? "NULL" : "\"" s "\""
}

# "DATA plan -demo" as (DARC_OF_DATA | DARC_CMD_PLAN) & ~(DARC_CMD_DEMO).
function commands(s,   word, n, i, some, less) {
    n = split(s, word, " ")
    for (i = 1; i <= n; i++)
        if (word[i] ~ /^-/)
            less = less " | DARC_CMD_" toupper(substr(word[i], 2))
        else
            some = some " | DARC_" (word[i] ~ /^[A-Z]/ ? "OF_" : "CMD_") \
                toupper(word[i])
    return "(" substr(some, 4) ")" (less == "" ? "" : " & ~(" substr(less, 4) ")")
}

/^#/ || NF == 0 {
    next
}
{
    split($0, cell, / *\| +/)
    split(cell[3], kind, " ")
    at = index(cell[2] " ", " ")
    print "X(" cell[1] ", " quoted(substr(cell[2], 1, at - 1)) ", " \
        quoted(substr(cell[2], at + 1)) ", " toupper(kind[1]) ", " \
        (kind[2] != "" ? kind[2] ", " kind[3] : "0, 0") ", " quoted(cell[4]) ", " \
        commands(cell[5]) ", " quoted(cell[6]) ")"
}
