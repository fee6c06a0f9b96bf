/* script.h - the text of a model, and messages that point into it. */
#ifndef DARC_SYNTAX_SCRIPT_H
#define DARC_SYNTAX_SCRIPT_H

#include "darc/status.h"

#include <stdbool.h>
#include <stddef.h>

typedef struct {
    int line, column; /* from 1; a column is a character, not a byte */
} darc_place;

typedef struct {
    const char *text; /* length bytes; not owned */
    size_t length;
    const char *file; /* name for messages; not owned */
    darc_err *err;    /* where messages go; may be NULL */
    bool modelica;    /* the language, if not darc's own */
} darc_script;

/* Record "file:line:column: error: MESSAGE", the line of the script, and a
 * caret under the place; return status.  Of script NULL only that. */
darc_status darc_script_fail(const darc_script *script, darc_place place,
                             darc_status status, const char *format, ...)
    DARC_PRINTF(4, 5);

#endif
