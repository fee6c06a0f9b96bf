# signatures - the rows of signatures.txt for the table in recognise.c.
# usage: awk -f signatures.awk signatures.txt

function quoted(s) {
    gsub(/"/, "\\\"", s)
    return s == "" ? "NULL" : "\"" s "\""
}

/^# / || NF == 0 {
    next
}
{
    n = split($0, cell, / \| /)
    way = cell[4]
    if (sub(/^=pandas /, "", way))
        way = "python3 -c \"import pandas; pandas.read_" way \
            "('@').to_csv('run.csv', index=False)\" makes a CSV file of it"
    if (way == "=can")
        way = "convert it to MDF4 with its DBC (Python packages python-can, " \
            "asammdf)"
    kind = what = ""
    if (cell[3] ~ /^=/)
        kind = substr(cell[3], 2)
    else
        what = cell[3]
    gsub(/"/, "\\\"", cell[1])
    print "{\"" cell[1] "\", sizeof \"" cell[1] "\" - 1, " \
        (cell[2] == "*" ? "ANYWHERE" : cell[2] == "~" ? "LIKE" : cell[2]) ", " quoted(kind) ", " \
        quoted(what) ", " quoted(way) "},"
}
