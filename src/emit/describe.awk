# describe - what is made of src/manual/json.md, the one description of reports.
# usage: awk -v make=schema|formats|python -f describe.awk json.md
#
# schema: the JSON Schema.  formats: of every table what darc_json_put
# (emit/json.h) writes of it, as C macros: DARC_JSON_NAME has its rows down to
# the first object or list, _THEN those behind that, _MORE those that may be left
# out but for strings.  python: a dataclass of each table that has one (below).

function quoted(s) {
    gsub(/\\/, "\\\\", s)
    gsub(/"/, "\\\"", s)
    return "\"" s "\""
}

# The schema of a kind.
function schema(kind,   n, part, all, i) {
    if (kind ~ /^\[.*\]$/)
        return "\"type\": \"array\", \"items\": {" \
            schema(substr(kind, 2, length(kind) - 2)) "}"
    if (kind ~ /^\{.*\}$/)
        return "\"type\": \"object\", \"additionalProperties\": {" \
            schema(substr(kind, 2, length(kind) - 2)) "}"
    n = split(kind, part, " or ")
    for (i = 1; i <= n && n > 1; i++)
        all = all (i > 1 ? "}, {" : "") schema(part[i])
    if (n > 1)
        return "\"anyOf\": [{" all "}]"
    if (kind ~ /^"/)
        return "\"const\": " kind
    if (kind == "strings")
        return schema("[string]")
    if (kind in type)
        return "\"type\": " type[kind]
    return "\"$ref\": \"#/$defs/" kind "\""
}

# The type of a kind in Python.
function hint(kind,   n, part) {
    if (kind ~ /^\[.*\]$/)
        return "List[" hint(substr(kind, 2, length(kind) - 2)) "]"
    if (kind == "strings")
        return "List[str]"
    n = split(kind, part, " or ")
    if (n > 1)
        return part[2] == "null" ? "Optional[" hint(part[1]) "]" : "Any"
    return kind in python ? python[kind] : "Dict[str, Any]"
}

# Add a field to the dataclass; behind one that may be left out all have defaults.
function attribute(field, kind, optional, text,   of) {
    of = hint(kind)
    if (optional && of != "str" && of !~ /^(Optional|List)/)
        of = "Optional[" of "]"
    defaults = defaults || optional
    fields = fields "    " field (field == "from" ? "_" : "") ": " of \
        (!defaults ? "" : of ~ /^List/ ? " = field(default_factory=list)" : \
         of == "str" ? " = \"\"" : of ~ /^Optional/ ? " = None" : \
         of == "bool" ? " = False" : " = 0") "\n"
    if (text != "")
        told = told "    " field (field == "from" ? "_" : "") ": " text "\n"
}

# End the table before.
function finish() {
    if (name == "" || rows == 0)
        return
    if (make == "python" && name in python)
        classes = classes "\n\n@dataclass(frozen=True)\nclass " python[name] \
            ":\n    \"\"\"As \"" name "\" in reports; None: not known.\n\n" told \
            "    \"\"\"\n\n" fields
    if (make == "schema") {
        defs = defs (defs != "" ? ",\n" : "") "    " quoted(name) ": {\n" \
            "      \"type\": \"object\", \"additionalProperties\": false,\n" \
            "      \"required\": [" required "],\n" \
            "      \"properties\": {\n" properties "\n      }\n    }"
    } else if (make == "formats") {
        for (i = 0; i < 3; i++)
            if (format[i] != "")
                print "#define DARC_JSON_" toupper(name) behind[i] " " \
                    quoted(format[i])
    }
}

function begin(new, is_report) {
    finish()
    name = (is_report ? "report_" : "") new
    rows = run = 0
    defaults = 0
    fields = told = required = properties = format[0] = format[1] = format[2] = ""
    if (is_report)
        reports = reports (reports != "" ? ", " : "") \
            "{\"$ref\": \"#/$defs/" name "\"}"
}

# Add a member to the formats; runs: before and behind what is no scalar.
function member(field, kind, optional,   l, at) {
    l = kind ~ /^"/ ? "s" : kind == "string" && optional ? "S" : letter[kind]
    if (l == "") {
        run += run == 0 ? 1 : run == 1 && format[1] != "" ? 1 : 0
        return
    }
    at = optional && l != "S" ? 2 : run
    if (at < 2 || (optional && l != "S"))
        format[at] = format[at] (format[at] != "" ? " " : "") field ":" l
}

BEGIN {
    FS = " *\\| *"
    behind[0] = ""; behind[1] = "_THEN"; behind[2] = "_MORE"
    type["string"] = "\"string\""; letter["string"] = "s"
    type["null"] = "\"null\""; letter["string or null"] = "s"
    type["number"] = "[\"number\", \"null\"]"; letter["number"] = "d"
    type["integer"] = type["long"] = type["count"] = "\"integer\""
    letter["integer"] = "i"; letter["long"] = "l"; letter["count"] = "z"
    type["boolean"] = "\"boolean\""; letter["boolean"] = "b"
    type["truth"] = "[\"boolean\", \"null\"]"; letter["truth"] = "t"
    letter["strings"] = "a"
    python["string"] = "str"; python["number"] = "Optional[float]"
    python["integer"] = python["long"] = python["count"] = "int"
    python["boolean"] = "bool"; python["truth"] = "Optional[bool]"
    python["decision"] = "Decision"; python["estimate"] = "Estimate"
    python["value"] = "Value"; python["change"] = "Change"
    python["stretch"] = "Stretch"; python["output"] = "Output"
    python["candidate"] = "Candidate"; python["io"] = "Equation"
}

/^## / { begin($1 == "" ? "" : substr($0, 4), 1) }
/^### / { begin(substr($0, 5), 0) }

/^\| `/ {
    field = substr($2, 2, length($2) - 2)
    kind = $3
    optional = sub(/\?$/, "", kind)
    unit = $4
    text = $5
    gsub(/`/, "", unit)
    gsub(/`/, "", text)
    if (unit != "")
        text = text (text != "" ? "; in " : "in ") \
            (unit == "share" ? "shares of 1" : unit)
    properties = properties (rows++ ? ",\n" : "") "        " quoted(field) \
        ": {" schema(kind) \
        (text != "" ? ", \"description\": " quoted(text) : "") "}"
    if (!optional)
        required = required (required != "" ? ", " : "") quoted(field)
    member(field, kind, optional)
    attribute(field, kind, optional, text)
}

END {
    finish()
    if (make == "python")
        print "\"\"\"The types of results, made of json.md.\"\"\"\n\n" \
            "from __future__ import annotations\n\n" \
            "from dataclasses import dataclass, field\n" \
            "from typing import Any, Dict, List, Optional\n" classes
    if (make == "schema")
        print "{\n  \"$schema\": \"https://json-schema.org/draft/2020-12/schema\"," \
            "\n  \"title\": \"reports of darc\",\n  \"oneOf\": [" reports \
            "],\n  \"$defs\": {\n" defs "\n  }\n}"
}
