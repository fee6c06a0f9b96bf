/* csv_finder.h - how the table in a text is found: the lines at its beginning,
 * what their cells are, and shapes that lines have in common. */
#pragma once

#include "files/csv.h"

#define DARC_NO_LINE SIZE_MAX

/* A line that is not blank. */
typedef struct {
    size_t from, number; /* of the line */
    size_t begin, end;   /* of what is in it, without brackets of a matrix */
    bool comment, bracketed;
} darc_line;

/* How often a column holds which. */
typedef struct {
    unsigned count[DARC_CELL_KINDS];
} darc_counts;

/* Lines of one shape, by one separator. */
typedef struct {
    size_t first, last, rows;
    unsigned gaps_last; /* of its lines end in a separator */
    size_t full;        /* of them have all cells */
    int cells;          /* at most */
    darc_counts *at;    /* owned */
} darc_shape;

typedef struct {
    darc_csv *csv;
    darc_err *err;
    size_t seen, number; /* bytes and lines that were looked at */
    size_t count, sure;  /* lines; rows that are enough */
    size_t words;        /* the last line of several cells without values */
    int names;           /* its cells, if all are words; 0: not */
    darc_line *at;       /* owned */
    darc_cell *cell;     /* those of the line that was classified; owned */
    unsigned char *kind; /* what they are; owned */
} darc_finder;

/* Take the lines that are in memory, up to as many as are looked at. */
void darc_finder_take(darc_finder *x);

/* Set x->cell to the cells of line i, x->kind to what they are; return how many
 * there are. */
int darc_finder_classify(darc_finder *x, size_t i, char separator);

/* Return whether one of the n cells in x->kind is a number or a stamp. */
bool darc_finder_has_values(const darc_finder *x, int n);

/* Return whether the n cells are one word and empty ones. */
bool darc_finder_is_title(const darc_finder *x, int n);

/* Return whether most cells of line k are "key=value". */
bool darc_finder_has_pairs(darc_finder *x, size_t k, char separator);

/* Set *best to the shape of the rows by one separator; rows 0: it has none. */
void darc_finder_shape(darc_shape *best, darc_finder *x, char separator);

/* Let line i of n cells be of the shape; how much of it is values; free n. */
void darc_shape_join(darc_shape *g, const darc_finder *x, size_t i, int n);
double darc_shape_worth(const darc_shape *g);
void darc_shapes_clear(darc_shape *g, int n);

/* Look for lines that say what they hold in the first cell, where the rows have
 * none: "TraceName", "VUnit".  Return whether there are any. */
bool darc_finder_labels(darc_csv_layout *to, darc_finder *x,
                        const darc_shape *g);

/* Look for names above the rows, units between; in comments, or not.  Return
 * whether there are any. */
bool darc_finder_look_up(darc_csv_layout *to, darc_finder *x,
                         const darc_shape *g, bool comments);
