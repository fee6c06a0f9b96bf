/* arrays.h - the arrays that a file holds (MAT, HDF5, NPY, NPZ, MDF4): what
 * each format lists, and how their values are read.
 *
 * A format lists the arrays with their paths ("run1.y"); arrayfile.h chooses
 * those that make a recording and cuts matrices into columns.
 */
#ifndef DARC_FILES_ARRAYS_H
#define DARC_FILES_ARRAYS_H

#include "base/text.h"
#include "files/bytes.h"

#include <stdbool.h>
#include <stddef.h>

/* A vector (columns 1) or a matrix whose longer side runs along time. */
typedef struct {
    char *path; /* owned */
    char *unit; /* "" if none; owned */
    size_t rows, columns;
    int handle; /* the format's own */
} darc_array;

typedef struct darc_arrays {
    const char *file;      /* not owned */
    darc_bytes_file bytes; /* its, where a format reads it (read_arrays.c) */
    double rate;           /* wanted, Hz; 0: as recorded */
    char separator;        /* of paths */
    int count;
    size_t alloc;
    darc_array *array;    /* owned */
    darc_text_t left_out; /* what the file holds besides: "T (a table), ..." */

    /* Set out[k * n + i] to row begin + i of column k of the array.
     * Fails: DARC_IO, DARC_DATA. */
    darc_status (*read)(struct darc_arrays *a, const darc_array *from,
                        size_t begin, size_t n, double *out, darc_err *err);
    void (*close)(struct darc_arrays *a); /* releases state; may be NULL */
    void *state;
} darc_arrays;

/* What each format has: list the arrays of a->bytes.  What a failed call leaves
 * in *a is released by darc_arrays_clear too.
 * Fails: DARC_DATA for what the bytes are; DARC_IO, DARC_LIMIT for a temporary
 * file. */
typedef darc_status darc_arrays_list(darc_arrays *a, darc_err *err);

void darc_arrays_init(darc_arrays *a, const char *file);
void darc_arrays_clear(darc_arrays *a);

/* Append an array, copying path and unit; a 1 x n array is a vector. */
void darc_arrays_append(darc_arrays *a, const char *path, const char *unit,
                        size_t rows, size_t columns, int handle);

/* Note something that is no signal, once a path. */
void darc_arrays_leave(darc_arrays *a, const char *path, const char *what);

#endif
