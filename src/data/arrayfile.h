/* arrayfile.h - recordings in files of arrays (MAT, HDF5, NPY, NPZ, MDF4):
 * columns of one length, read window by window.
 */
#pragma once

#include "base/status.h"
#include "formats/arrays.h"

/* Rows of an array that are in memory. */
typedef struct {
    double *value; /* of all its columns, one behind the other; NULL: not yet
                      read; owned */
    size_t begin, rows;
    size_t seen;            /* rows that were looked at for infinite values */
    size_t infinite, first; /* how many there were, and in which row */
} darc_window;

/* The columns that make a recording. */
typedef struct {
    darc_arrays arrays;
    char *file; /* without the path; owned */
    char *path; /* behind the ':', "" if none; owned */
    size_t rows;
    int columns;
    char **name, **unit; /* of columns; owned */
    int *array;          /* of column c: index in arrays; owned */
    size_t *place;       /* of column c: which column of that array; owned */
    darc_window *window; /* of each array; owned */
    int notes;
    char **note;    /* what is passed over, where all is wanted; owned */
    double slowest; /* Hz: what channels of several rates were brought to where
                       no rate was asked for; 0: nothing was */
} darc_arrayfile;

/* What is wanted of a file. */
typedef struct {
    double rate; /* Hz, of channels that differ in rate; 0: that of the slowest
                    one that is wanted */
    const char *time; /* column, NULL: none is named */
    int names;        /* columns; 0: all */
    const char *const *name;
} darc_arrayfile_wish;

/* Open "FILE" or "FILE:path"; channels that differ in rate are brought to one.
 * Of arrays of several lengths those are taken that have the length of what is
 * wanted, or that most have.
 * Fails: DARC_IO; DARC_DATA when the file is damaged, holds no recording, or
 * several: the message lists them. */
darc_status darc_arrayfile_open(darc_arrayfile *s, const char *file,
                                const darc_arrayfile_wish *wish, darc_err *err);
void darc_arrayfile_close(darc_arrayfile *s);

/* Return n <= *have values of column c from row `begin` < rows on, valid until
 * the next call for the same array; *have > 0.  An infinite one is a gap.
 * Fails: DARC_IO, DARC_DATA. */
darc_status darc_arrayfile_values(const double **value, size_t *have,
                                  darc_arrayfile *s, int c, size_t begin,
                                  darc_err *err);

/* Append what the file holds, a line an array or a sheet, and what of it is no
 * signal and why; nothing for a text or a sheet.  Fails: as
 * darc_arrayfile_open. */
DARC_STATUS darc_arrayfile_list(darc_text_t out, const char *file,
                                darc_err *err);
