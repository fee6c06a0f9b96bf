# texts - of the texts in texts.html C macros: DARC_PAGE_NAME.
# usage: awk -f texts.awk texts.html

function finish() {
    if (name != "")
        print "#define DARC_PAGE_" name " \"" text "\""
    text = ""
}

/^<!-- [A-Z_]+ -->$/ {
    finish()
    name = $2
    next
}
name != "" && NF > 0 {
    line = $0
    joined = sub(/\\$/, "", line)
    ended = line ~ />$/ && !joined
    gsub(/"/, "\\\"", line)
    text = text line (ended ? "\\n" : joined ? "" : " ")
}

END {
    finish()
}
