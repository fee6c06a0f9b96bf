/* bytes.h - numbers in the bytes of a binary file. */
#ifndef DARC_FILES_BYTES_H
#define DARC_FILES_BYTES_H

#include "darc/status.h"

#include <stdbool.h>
#include <stddef.h>
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
DARC_CHECKED darc_status darc_bytes_read(const darc_bytes_file *f, uint64_t at,
                                         void *to, size_t n, darc_err *err);

#endif
