/* store.h - arrays whose items lie in stretches of a file, as they are or
 * compressed: what MAT, NPY and NPZ have in common.
 *
 * A compressed stretch is inflated when it is first read behind its front: into
 * memory as long as they are few, then into a temporary file.
 */
#pragma once

#include "base/scratch.h"
#include "formats/arrays.h"

typedef struct {
    uint64_t at, size;    /* place in the file; bytes when inflated */
    uint64_t packed;      /* zlib's bytes there; 0: not compressed */
    bool raw;             /* they are without their head */
    uint32_t sum;         /* CRC-32 of a member of an archive */
    unsigned char *front; /* the first few, which most often tell what it is;
                             NULL: not yet inflated; owned */
    size_t front_bytes;
    bool ready;         /* it is inflated, or was found to have its sum */
    unsigned char *mem; /* NULL: in the temporary file; owned */
    uint64_t place;     /* there */
} darc_stretch;

/* Items of an array, one behind the other in the order of C or of Fortran. */
typedef struct {
    int stretch;
    uint64_t at;         /* of the first item there */
    size_t item, offset; /* bytes of an item; of them before the number */
    size_t step;         /* from an item to the next, of a vector; 0: item */
    bool negative;       /* the values have the other sign */
    darc_bytes_number number;
    bool fortran;
    bool together; /* the items of a row of the recording are neighbours */
} darc_items;

typedef struct {
    darc_bytes_file file;
    darc_scratch scratch;
    bool open;     /* there is such a file */
    uint64_t end;  /* bytes in it */
    uint64_t held; /* bytes in memory */
    uint64_t most; /* of those; 0: DARC_INFLATED_HELD */
    int stretches, count;
    darc_stretch *stretch; /* owned */
    darc_items *items;     /* by handle of an array; owned */
} darc_store;

/* Make an empty store the state of a; its paths are parted by '.'. */
darc_store *darc_store_open(darc_arrays *a);
void darc_store_clear(darc_store *s);

/* Append a stretch and return its number. */
int darc_store_append(darc_store *s, darc_stretch x);

/* Append one of so many bytes in memory, which is taken; return its number. */
int darc_store_hold(darc_store *s, unsigned char *mem, uint64_t size);

/* Append an array of rows x columns (of the file) to a, whose state is a
 * store. */
void darc_store_add(darc_arrays *a, const char *path, size_t rows,
                    size_t columns, darc_items items);

/* Set to[0 .. n-1] to bytes of a stretch.
 * Fails: DARC_DATA when it is damaged or holds another number of bytes;
 * DARC_IO, DARC_LIMIT for the temporary file. */
DARC_STATUS darc_store_get(void *to, uint64_t n, darc_store *s, int stretch,
                           uint64_t at, darc_err *err);

/* Inflate x to to[0 .. x->size - 1].  Fails: DARC_DATA, DARC_LIMIT. */
DARC_STATUS darc_inflate(unsigned char *to, const darc_bytes_file *f,
                         const darc_stretch *x, darc_err *err);

/* Append what the members of a gzip file hold.
 * Fails: DARC_DATA when it is damaged, or longer than DARC_SHEET_BYTES. */
DARC_STATUS darc_gunzip(darc_text_t out, const darc_bytes_file *f,
                        darc_err *err);

/* ---- zip: the members of an archive, stored or deflated ---------------------
 */

/* Call `take` for every member, in the order of the directory at the end of the
 * file; n characters of the name.
 * Fails: as `take` does; DARC_DATA when it is damaged, encrypted or split. */
DARC_STATUS
darc_zip_list(const darc_bytes_file *f,
              darc_status (*take)(void *user, const char *name, size_t n,
                                  const darc_stretch *bytes, darc_err *err),
              void *user, darc_err *err);
