/* part.h - parts of what a file holds, by name: "FILE[10:60]" from 10 to 60 s,
 * "FILE[subject=s3]" the rows with that value in a column.  Of a long table,
 * where the rows of many recordings stand in one file, each value of a column
 * (--each) is a recording.
 */
#pragma once

#include "base/status.h"
#include "darc/recording.h"

#include <stdbool.h>
#include <stddef.h>

typedef struct {
    char *file;           /* without the brackets; owned */
    double from, to;      /* s; NAN: not given */
    char *column, *value; /* NULL: all rows; owned */
} darc_part;

/* Set p to what the name means; a file of that very name is one. */
void darc_part_init(darc_part *p, const char *name);
void darc_part_clear(darc_part *p);

/* Names of parts. */
struct darc_parts {
    int count;
    size_t alloc;
    char **name; /* owned */
};

/* Append "FILE[COLUMN=VALUE]" for each value of the column, as they come in the
 * file; rows without a value are of none.  No column: FILE itself.
 * Fails: DARC_IO; DARC_DATA for a column that is not there or has no value, for
 * more than DARC_MAX_PARTS values, for standard input, which is read once. */
DARC_STATUS darc_parts_add(darc_parts *p, const char *file, const char *column,
                           darc_err *err);
void darc_parts_clear(darc_parts *p);
