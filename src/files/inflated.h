/* inflated.h - compressed stretches of a file, inflated: into memory as long as
 * they are few, then into a temporary file.
 */
#ifndef DARC_FILES_INFLATED_H
#define DARC_FILES_INFLATED_H

#include "base/scratch.h"
#include "files/bytes.h"

/* Where stretches of one file go; all zero but `file` to begin with. */
typedef struct {
    const darc_bytes_file *file;
    darc_scratch scratch;
    bool open;     /* there is such a file */
    uint64_t end;  /* bytes in it */
    uint64_t held; /* bytes in memory */
    uint64_t most; /* of those; 0: DARC_INFLATED_HELD */
} darc_inflater;

void darc_inflater_clear(darc_inflater *s);

/* Zlib's bytes in a file (raw: without their head), and how many they are when
 * inflated. */
typedef struct {
    uint64_t at, packed, size;
    bool raw;
} darc_deflated;

/* What became of one; all zero: nothing yet. */
typedef struct {
    bool ready;
    unsigned char *mem; /* NULL: in the temporary file; owned */
    uint64_t at;        /* there */
    uint64_t size;
} darc_inflated;

void darc_inflated_clear(darc_inflated *i);

/* Inflate d unless that was done before.
 * Fails: DARC_DATA when it is damaged or holds another number of bytes;
 * DARC_IO. */
DARC_CHECKED darc_status darc_inflate(darc_inflated *i, darc_inflater *s,
                                      const darc_deflated *d, darc_err *err);

/* Inflate d to to[0 .. d->size - 1].  Fails: the same. */
DARC_CHECKED darc_status darc_inflate_whole(unsigned char *to,
                                            const darc_bytes_file *f,
                                            const darc_deflated *d,
                                            darc_err *err);

/* Set to[0 .. n-1] to bytes at .. at + n - 1 of i, which is ready.
 * Fails: DARC_DATA, DARC_IO. */
DARC_CHECKED darc_status darc_inflated_get(void *to, uint64_t n,
                                           const darc_inflated *i,
                                           const darc_inflater *s, uint64_t at,
                                           darc_err *err);

/* Inflate the first n bytes of d alone; *got of them come.
 * Fails: as darc_inflate. */
DARC_CHECKED darc_status darc_inflate_front(unsigned char *to, size_t n,
                                            size_t *got,
                                            const darc_bytes_file *f,
                                            const darc_deflated *d,
                                            darc_err *err);

#endif
