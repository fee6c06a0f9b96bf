/* arrays.h - the arrays that a file holds (MAT, HDF5, NPY, NPZ, MDF4): what
 * each format lists, and how their values are read; numbers in its bytes.
 *
 * A format lists the arrays with their paths ("run1.y"); arrayfile.h chooses
 * those that make a recording and cuts matrices into columns.
 */
#pragma once

#include "base/status.h"
#include "base/text.h"

#include <stdint.h>

typedef enum {
    DARC_BYTES_FLOAT,
    DARC_BYTES_SIGNED,
    DARC_BYTES_UNSIGNED
} darc_bytes_kind;

/* A number: `bits` <= 64 bits from bit `shift` < 8 of the first byte on; a
 * float has 16, 32 or 64 bits and no shift. */
typedef struct {
    darc_bytes_kind kind;
    bool big; /* most significant byte first */
    int bits, shift;
    double tick;     /* if not 0, the number counts ticks of so many s */
    bool dated;      /* and its first value in a file is the origin */
    uint64_t origin; /* which no double may hold */
} darc_bytes_number;

/* Return the number at p, of darc_bytes_width bytes; of a lack of ticks (NaT),
 * the least number of 64 bits, NAN. */
double darc_bytes_get(const unsigned char *p, const darc_bytes_number *number);

/* Return the bits of the number at p, as they are. */
uint64_t darc_bytes_bits(const unsigned char *p,
                         const darc_bytes_number *number);

/* Return the bytes that the number takes. */
size_t darc_bytes_width(const darc_bytes_number *number);

/* Little-endian integers. */
uint16_t darc_bytes_u16(const unsigned char *p);
uint32_t darc_bytes_u32(const unsigned char *p);
uint64_t darc_bytes_u64(const unsigned char *p);

/* A file, as it lies in memory. */
typedef struct {
    const unsigned char *bytes; /* not owned */
    uint64_t size;
    const char *name; /* for messages; not owned */
} darc_bytes_file;

/* Set to[0 .. n-1] to the bytes at `at`.
 * Fails: DARC_DATA when the file ends before ("the file is cut off"). */
DARC_STATUS darc_bytes_read(const darc_bytes_file *f, uint64_t at, void *to,
                            size_t n, darc_err *err);

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
darc_arrays_list darc_mat_list;      /* MATLAB, versions 4, 5 and 7 */
darc_arrays_list darc_modelica_list; /* results as text */
darc_arrays_list darc_mdf_list;      /* the channels of an MDF file */
darc_arrays_list darc_npy_list;      /* NumPy, versions 1 to 3 */
darc_arrays_list darc_npz_list;

/* Version 4: return whether the file is one; list it, whose state is a store.
 */
bool darc_mat4_is(const darc_bytes_file *f);
darc_arrays_list darc_mat4_list;

/* Set *number to the layout of values of a type of version 5; false: it is none
 * of numbers. */
bool darc_mat_type(darc_bytes_number *number, int type, bool big);

/* Say what an object of MATLAB is, and which line there exports it. */
void darc_arrays_leave_object(darc_arrays *a, const char *name,
                              const char *class);

void darc_arrays_init(darc_arrays *a, const char *file);
void darc_arrays_clear(darc_arrays *a);

/* Append an array, copying path and unit; a 1 x n array is a vector. */
void darc_arrays_append(darc_arrays *a, const char *path, const char *unit,
                        size_t rows, size_t columns, int handle);

/* Note something that is no signal, once a path. */
void darc_arrays_leave(darc_arrays *a, const char *path, const char *what);
