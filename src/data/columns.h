/* columns.h - which columns of a file are read, as what, in which unit. */
#pragma once

#include "data/table.h"

/* What a column holds: points in time perhaps, text where numbers are meant. */
typedef enum {
    DARC_COLUMN_NUMBERS,
    DARC_COLUMN_INCREASES,
    DARC_COLUMN_TEXT
} darc_column_kind;

/* What a file offers. */
typedef struct {
    const char *place; /* "file:1:1", for messages */
    int count;
    char *const *name, *const *unit;
    darc_status (*kind)(darc_column_kind *kind, void *user, int column,
                        darc_err *err); /* by the first rows */
    void *user;
    bool numbers;  /* no column holds text */
    bool nameless; /* the first row has numbers: darc gave the names */
} darc_columns;

/* A signal: a column times scale plus shift. */
typedef struct {
    int column;
    char *name;          /* the model's; owned */
    double scale, shift; /* into the model's unit */
    char *unit;          /* of the values; owned */
    char *conversion;    /* in words; NULL: none; owned */
} darc_taken;

/* What is taken. */
typedef struct {
    int signals;
    darc_taken *signal; /* owned */
    char *text; /* columns that hold text, where all are read: "a, b"; owned;
                   NULL: none */
    int time_column; /* -1: none */
    double time_scale;
} darc_selection;

/* Set s to what the options take from the columns.
 * Fails: DARC_DATA for a column that is not there or is there twice, an
 * option that names nothing, no time column and no rate, a strange unit of
 * time.  Then s is cleared. */
DARC_CHECKED darc_status darc_selection_init(darc_selection *s,
                                             const darc_columns *columns,
                                             const darc_load_options *o,
                                             darc_err *err);
void darc_selection_clear(darc_selection *s);

/* Return the column that --map gives to a name, or the name itself. */
const char *darc_mapped(const char *name, const darc_load_options *o);
