/* arrayfile.h - recordings in files of arrays (MAT, HDF5, NPY, NPZ, MDF4):
 * columns of one length, read window by window.
 */
#pragma once

#include "files/arrays.h"

/* Rows of an array that are in memory. */
typedef struct {
    double *value; /* of all its columns, one behind the other; NULL: not yet
                      read; owned */
    size_t begin, rows;
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
    double slowest; /* Hz: what channels of several rates were brought to where
                       no rate was asked for; 0: nothing was */
} darc_arrayfile;

/* What is wanted of a file. */
typedef struct {
    double rate; /* Hz, of channels that differ in rate; 0: that of the slowest
                    one that is wanted */
    int names;   /* columns; 0: all */
    const char *const *name;
} darc_arrayfile_wish;

/* Open "FILE" or "FILE:path"; channels that differ in rate are brought to one.
 * Fails: DARC_IO; DARC_DATA when the file is damaged, holds no recording, or
 * several: the message lists them. */
darc_status darc_arrayfile_open(darc_arrayfile *s, const char *file,
                                const darc_arrayfile_wish *wish, darc_err *err);
void darc_arrayfile_close(darc_arrayfile *s);

/* Return n <= *have values of column c from row `begin` < rows on, valid until
 * the next call for the same array; *have > 0.
 * Fails: DARC_IO, DARC_DATA, also for an infinite value. */
darc_status darc_arrayfile_values(const double **value, size_t *have,
                                  darc_arrayfile *s, int c, size_t begin,
                                  darc_err *err);
