# man - a manual page of what `darc help NAME`, or `darc --help`, prints.
# usage: darc help NAME | awk -v name=NAME -v version=1.2.3 -f man.awk
#
# Of a command its usage and options, of a topic its Markdown, of darc (name "")
# the lists of commands and topics.

# As it stands; a line's first '.' or quote is no command.
function escaped(s) {
    gsub(/\\/, "\\e", s)
    gsub(/-/, "\\-", s)
    gsub(/'/, "\\(aq", s)
    gsub(/`/, "\\(ga", s)
    gsub(/\^/, "\\(ha", s)
    gsub(/~/, "\\(ti", s)
    return s
}

function line(s) {
    print (s ~ /^[.']/ ? "\\&" : "") escaped(s)
}

# `code` and **strong** become bold, *emphasis* and [key] stay as they are.
function inline(s,   out, code, strong, i, c) {
    for (i = 1; i <= length(s); i++) {
        c = substr(s, i, 1)
        if (c == "`") {
            code = !code
            out = out (code ? "\\fB" : "\\fR")
        } else if (!code && substr(s, i, 2) == "**") {
            strong = !strong
            out = out (strong ? "\\fB" : "\\fR")
            i++
        } else if (code || c != "*")
            out = out (out == "" && c == "." ? "\\&" : "") escaped(c)
    }
    print out
}

# A row "| a | b |" becomes "a" with "b" indented below.
function row(s,   cell, n, i) {
    if (s ~ /^\| ---/)
        return
    gsub(/\\\|/, "\1", s)
    n = split(substr(s, 2), cell, /\|/)
    for (i = 1; i < n; i++) {
        gsub(/^ +| +$/, "", cell[i])
        gsub(/\1/, "\\|", cell[i])
        if (i == 1)
            print ".TP"
        inline(cell[i])
    }
}

function prose(s) {
    if (s ~ /^```/) {
        print (code_block ? ".fi\n.RE" : ".PP\n.RS 4\n.nf")
        code_block = !code_block
    } else if (code_block)
        line(s)
    else if (s ~ /^\|/)
        row(s)
    else if (s == "")
        print ".PP"
    else if (match(s, /^(## |### |- )/)) {
        printf "%s", s ~ /^##/ ? s ~ /^### / ? ".SS " : ".SH " : ".IP \\(bu 2\n"
        inline(substr(s, RLENGTH + 1))
    } else {
        sub(/^ +/, "", s)
        inline(s)
    }
}

function head(section, purpose) {
    title = "darc" (name == "" ? "" : "-" name)
    printf ".TH %s %d \"\" \"darc %s\" \"darc\"\n.SH NAME\n%s \\- %s\n", \
        toupper(title), section, version, escaped(title), escaped(purpose)
}

# "  NAME ARGUMENT   what it is": the text at `column`, or on the next line.
function entry(s, column,   term, at) {
    term = s
    if (substr(s, column - 1, 1) == " ")
        term = substr(s, 1, column - 1)
    gsub(/^ +| +$/, "", term)
    if (term != "") {
        at = index(term " ", " ")
        print ".TP"
        print "\\fB" escaped(substr(term, 1, at - 1)) "\\fR" \
            (at < length(term) ? " \\fI" escaped(substr(term, at + 1)) "\\fR" : "")
    }
    if (term == "" || substr(s, column - 1, 1) == " ")
        line(substr(s, column))
}

function ending(i, meaning) {
    print ".SH EXIT STATUS"
    split("consistent, or done|inconsistent|undecided|command line|" \
        "model or data|limit or internal", meaning, "|")
    for (i = 1; i <= 6; i++)
        printf ".TP\n%d\n%s\n", i - 1, meaning[i]
}

NR == 1 && name == "" {
    kind = "darc"
    head(1, "hold a model's equations against measured signals")
    print ".SH SYNOPSIS\n.B darc\n.I COMMAND ARGUMENTS\n.RI [ OPTIONS ]"
    print ".SH DESCRIPTION"
    line("Three questions, answered from recordings alone, without identifying " \
        "a parameter: can these equations produce these signals (structure), " \
        "were two recordings made by the same system with the same parameters " \
        "(equal), and if not, which parameter changed (changed).")
    next
}
NR == 1 && index($0, "darc " name " - ") == 1 {
    kind = "command"
    head(1, substr($0, length("darc " name " - ") + 1))
    next
}
NR == 1 {
    kind = "topic"
    head(7, $0)
    print ".SH DESCRIPTION"
    next
}
kind == "darc" && /^(usage:|darc help COMMAND)/ {
    if (listed)
        ending()
    print /^usage/ ? ".SH COMMANDS" : ".SH TOPICS"
    listed++
}
kind == "darc" && /^  [a-z]/ {
    entry($0, 16)
    also = also ",\n.BR darc\\-" $1 (listed > 1 ? " (7)" : " (1)")
}
kind == "command" && /^(usage:|       darc )/ {
    if (/^usage/)
        print ".SH SYNOPSIS\n.nf"
    s = escaped(substr($0, 8))
    if (/^usage/)
        sub("darc " name, "\\fB&\\fR", s)
    print /^usage/ ? s : "       " s
    usage = 1
}
/^  -/ && !options && (kind == "command" || name == "options") {
    print (usage ? ".fi\n" : "") ".SH OPTIONS"
    options = 1
}
options && NF > 0 {
    entry($0, 29)
}
kind == "topic" && !options && NR > 2 {
    prose($0)
}

END {
    if (NR == 0)
        exit 1
    if (kind == "command")
        ending()
    print ".SH SEE ALSO"
    print kind == "darc" ? substr(also, 3) : ".BR darc (1)"
}
