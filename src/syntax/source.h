/* source.h - the text of a model, and messages that point into it. */
#ifndef DARC_SYNTAX_SOURCE_H
#define DARC_SYNTAX_SOURCE_H

#include "darc/status.h"

#include <stddef.h>

typedef struct {
    int line, column; /* from 1; a column is a character, not a byte */
} darc_place;

typedef struct {
    const char *text; /* length bytes; not owned */
    size_t length;
    const char *file; /* name for messages; not owned */
} darc_source;

/* Record "file:line:column: error: MESSAGE", the source line, and a caret
 * under the place; return status. */
darc_status darc_source_fail(const darc_source *source, darc_place place,
                             darc_status status, darc_err *err,
                             const char *format, ...) DARC_PRINTF(5, 6);

#endif
