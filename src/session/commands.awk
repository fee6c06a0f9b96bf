# commands - of the table of commands X(ID, name, least, most, synopsis, purpose).
# usage: awk -f commands.awk commands.txt

/^# / || NF == 0 {
    next
}
{
    line = $0
    for (i = 1; i <= 4; i++) {
        match(line, / \|( |$)/)
        cell[i] = substr(line, 1, RSTART - 1)
        line = substr(line, RSTART + RLENGTH)
    }
    gsub(/\\n/, "\\n       darc ", line)
    print "X(" toupper(cell[1]) ", " cell[1] ", " cell[2] ", " cell[3] ", \"" \
        line "\", \"" cell[4] "\")"
}
