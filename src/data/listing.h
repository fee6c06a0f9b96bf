/* listing.h - which recordings: lists in files, folders, patterns.
 *
 * A list has a recording a line.  Where a cell of its first line is `file`,
 * `recording` or `path` that line is a header: the cells of a line are then
 * separated by ',', ';' or tabs, and the other columns tell of each recording
 * (a vehicle, a temperature).  Lines that are empty or begin with '#' do not
 * count.
 */
#pragma once

#include "base/status.h"

#include <stddef.h>

typedef struct {
    int columns;   /* besides the files' */
    char **column; /* their names; owned */
    int files;
    char **file;       /* owned */
    const void **held; /* of each file what the caller keeps of it, NULL at
                          first; owned array */
    char ***cell;      /* of each file, by column; NULL: empty; owned */
    int passed;
    char **over; /* files of folders that were passed over; owned */
} darc_listing;

/* Append what the list in the file ("-": standard input) says to an empty
 * listing.
 * Fails: DARC_IO; DARC_DATA with "file:line:column: error: ..." for a line
 * with another number of cells than the header, a line without a file, two
 * columns of one name, an empty list. */
DARC_STATUS darc_listing_read(darc_listing *l, const char *file, darc_err *err);
void darc_listing_clear(darc_listing *l);

/* Insert a file without cells at `at`. */
void darc_listing_insert(darc_listing *l, int at, const char *file);

/* Let a column, a new one if there is none of that name, tell that of file i;
 * NULL: nothing. */
void darc_listing_tell(darc_listing *l, int i, const char *column,
                       const char *value);

/* Append the files that DATA means: those of a folder that are recordings by
 * their ending, of text those alone that hold rows of numbers and are no list
 * or table of recordings, as darc drift writes (the others are passed over);
 * those that fit a pattern (* ? [...]), or else itself; numbers in names count
 * as numbers (run2 before run10). Fails: DARC_IO where a folder cannot be read;
 * DARC_DATA where nothing is found in it or fits. */
DARC_STATUS darc_listing_collect(darc_listing *l, const char *data,
                                 darc_err *err);

/* Return the column of that name, -1: there is none. */
int darc_listing_column(const darc_listing *l, const char *name);

/* Return what column k tells of file i; NULL: nothing, or one of both is -1. */
const char *darc_listing_cell(const darc_listing *l, int i, int k);
