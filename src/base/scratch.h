/* scratch.h - temporary files without a name, in the directory that TMPDIR
 * names, or /tmp: they go with the process, whatever ends it.  Those of a
 * process share one limit.
 */
#pragma once

#include "base/status.h"

#include <stddef.h>
#include <stdint.h>

typedef struct {
    int fd;
    _Atomic uint64_t end; /* bytes, where nothing is written behind */
    char directory[512];
} darc_scratch;

/* Let all temporary files of the process take so many bytes from now on, 0: any
 * number. */
void darc_scratch_limit(uint64_t bytes);

/* Open a new one, of no bytes; nothing is to be closed after a failure.
 * Fails: DARC_IO. */
DARC_STATUS darc_scratch_open(darc_scratch *s, darc_err *err);

/* Open one now, as that descriptor, which the next call of darc_scratch_open
 * hands out: for a process that will open no more files (cage.h). */
void darc_scratch_prepare(int fd);

/* Return how many bytes the limit leaves, at least 1; 0: there is no limit. */
uint64_t darc_scratch_left(void);

void darc_scratch_close(darc_scratch *s);

/* Write n bytes at `at`.  Thread-safe.
 * Fails: DARC_IO, in particular when the disk is full; DARC_LIMIT. */
DARC_STATUS darc_scratch_write(darc_scratch *s, const void *data, size_t n,
                               uint64_t at, darc_err *err);

/* Set to[0 .. n-1] to the bytes at `at`, which were written.
 * Fails: DARC_IO. */
DARC_STATUS darc_scratch_read(const darc_scratch *s, void *to, size_t n,
                              uint64_t at, darc_err *err);

/* Fail with DARC_IO for what errno says of the file. */
darc_status darc_scratch_fail(const darc_scratch *s, const char *what,
                              darc_err *err);
