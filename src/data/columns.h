/* columns.h - which columns of a file are read, as what, in which unit. */
#pragma once

#include "base/text.h"
#include "data/table.h"

typedef enum {
    DARC_COLUMN_NUMBERS,
    DARC_COLUMN_TEXT,
    DARC_COLUMN_EMPTY,
    DARC_COLUMN_STAMPS, /* points in time, */
    DARC_COLUMN_DAYS,   /* without a time of day, */
    DARC_COLUMN_CLOCK   /* without a day */
} darc_column_kind;

/* What a column holds, by its first rows. */
typedef struct {
    darc_column_kind kind;
    darc_stamp_form form; /* of points in time */
} darc_column_look;

/* What a file offers. */
typedef struct {
    const char *place; /* "file:1:1", for messages */
    int count;
    char *const *name, *const *unit;
    darc_status (*look)(darc_column_look *look, void *user, int column,
                        darc_err *err);
    /* Set x to the first values, up to DARC_CLOCK_ROWS, *n to how many. */
    darc_status (*first)(double *x, size_t *n, void *user, int column,
                         darc_stamp_form form, darc_err *err);
    /* Return the column by which the first rows are those of several
     * recordings, since time, in `column`, increases in those of each of its
     * values; NULL: there is none; owned by the caller. */
    char *(*propose)(void *user, int column, darc_stamp_form form,
                     const double *t);
    void *user;
    bool nameless; /* the first row has numbers: darc gave the names */
    bool turned;   /* the names stand in the first column */
    double step;   /* of time, s, as the file says beside its columns; 0: no */
    double told;   /* a rate in the text above, Hz; 0: none, */
    size_t told_line, first_line; /* and where; of the names, or rows */
    const char *letters; /* what is to be said of names; NULL: nothing */
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
    char *text; /* columns that are not read, where all are, and why; owned;
                   NULL: none */
    const struct darc_clock *clock; /* which column is the time; not owned */
    int time_column;                /* that counts; -1: none */
    double time_scale;              /* from --scale */
} darc_selection;

/* Set s to what the options take from the columns, beside the clock's.
 * Fails: DARC_DATA for a column that is not there or is there twice, an
 * option that names nothing, no time column and no rate, a strange unit of
 * time.  Then s is cleared. */
DARC_STATUS darc_selection_init(darc_selection *s, const darc_columns *columns,
                                const struct darc_clock *clock,
                                const darc_load_options *o, darc_err *err);
void darc_selection_clear(darc_selection *s);

/* Return the column that --map gives to a name, or the name itself. */
const char *darc_mapped(const char *name, const darc_load_options *o);

/* Return whether column i is meant: by its name, or as the header has it, with
 * the unit. */
bool darc_column_called(const darc_columns *columns, int i, const char *name);

/* Set *c to the column of that name; model_name, or NULL, for the hint.
 * Fails: DARC_DATA where there is none, or two. */
DARC_STATUS darc_column_find(int *c, const char *name, const char *model_name,
                             const darc_columns *columns, darc_err *err);

/* Append "columns: t, a, z" (the first thirty), and where the names come from
 * if not from the file. */
void darc_columns_list(darc_text_t out, const darc_columns *columns);

/* Append "name=column" to a list for --map, in quotes where it needs them. */
void darc_columns_put_map(darc_text_t out, const char *name,
                          const char *column);
