/* source.h - recordings kept as arrays (MAT, HDF5, NPY, NPZ, MDF4): columns of
 * one length, read window by window.
 *
 * A format lists the arrays of a file with their paths ("run1.y"); source.c
 * chooses those that make a recording and cuts matrices into columns.
 */
#ifndef DARC_FILES_SOURCE_H
#define DARC_FILES_SOURCE_H

#include "base/text.h"
#include "darc/status.h"

#include <stdbool.h>
#include <stddef.h>

/* A vector (columns 1) or a matrix whose longer side runs along time. */
typedef struct {
    char *path; /* owned */
    char *unit; /* "" if none; owned */
    size_t rows, columns;
    int handle; /* the format's own */
} darc_array;

typedef struct darc_arrays darc_arrays;

/* Set out[k * n + i] to row begin + i of column k of the array.
 * Fails: DARC_IO, DARC_DATA. */
typedef darc_status (*darc_arrays_read)(darc_arrays *a, const darc_array *from,
                                        size_t begin, size_t n, double *out,
                                        darc_err *err);

struct darc_arrays {
    const char *file; /* for messages; not owned */
    double rate;      /* wanted, Hz; 0: as recorded */
    const char *kind; /* "MAT", "HDF5" */
    char separator;   /* of paths */
    int count;
    darc_array *array;    /* owned */
    darc_text_t left_out; /* what the file holds besides: "T (a table), ..." */
    darc_arrays_read read;
    void (*close)(darc_arrays *a); /* releases state; may be NULL */
    void *state;
};

/* Append an array, copying path and unit; a 1 x n array is a vector. */
void darc_arrays_append(darc_arrays *a, const char *path, const char *unit,
                        size_t rows, size_t columns, int handle);

/* Note something that is no signal, once a path. */
void darc_arrays_leave(darc_arrays *a, const char *path, const char *what);

/* Each format: list the arrays of the file.  What a failed call leaves in *a is
 * released by darc_source_close too. */
darc_status darc_mat_list(darc_arrays *a, const char *file, darc_err *err);
darc_status darc_hdf5_list(darc_arrays *a, const char *file, darc_err *err);
darc_status darc_npy_list(darc_arrays *a, const char *file, darc_err *err);
darc_status darc_npz_list(darc_arrays *a, const char *file, darc_err *err);
darc_status darc_mdf4_list(darc_arrays *a, const char *file, darc_err *err);

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
    double **window;     /* of array i: rows window_begin.. of all its columns,
                            NULL until read; owned */
    size_t *window_begin, *window_rows; /* owned */
} darc_source;

/* Return whether the file's ending names a format of arrays; *length gets
 * the length of the file's name without ":path". */
bool darc_source_is(const char *file, size_t *length);

/* Open "FILE" or "FILE:path"; where channels differ in rate they are brought to
 * `rate` Hz, if that is > 0.
 * Fails: DARC_IO; DARC_DATA when the file is damaged, holds no recording, or
 * several: the message lists them. */
darc_status darc_source_open(darc_source *s, const char *file, double rate,
                             darc_err *err);
void darc_source_close(darc_source *s);

/* Return n <= *have values of column c from row `begin` < rows on, valid until
 * the next call for the same array; *have > 0.
 * Fails: DARC_IO, DARC_DATA, also for an infinite value. */
darc_status darc_source_values(const double **value, size_t *have,
                               darc_source *s, int c, size_t begin,
                               darc_err *err);

#endif
