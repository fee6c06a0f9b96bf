/* mdf4_blocks.h - the blocks of an MDF4 file and the bytes of its records.
 *
 * A block begins with "##XX", its length, and its links to other blocks.  The
 * records of a data group lie in one DT block, or in a list (DL, under HL) of
 * DT and compressed DZ blocks.
 */
#pragma once

#include "base/status.h"
#include "formats/arrays.h"

enum { DARC_MDF4_LINKS = 8 };

typedef struct {
    char id[3];                     /* "DG" */
    uint64_t link[DARC_MDF4_LINKS]; /* the first links; 0: none */
    uint64_t links;                 /* in all */
    uint64_t at;                    /* of the data behind the links */
    uint64_t size;                  /* of the data */
} darc_mdf4_block;

/* Read the head of the block at `at`, which has the id (NULL: any).
 * Fails: DARC_DATA, DARC_IO. */
DARC_STATUS darc_mdf4_block_read(darc_mdf4_block *b, const darc_bytes_file *f,
                                 uint64_t at, const char *id, darc_err *err);

/* Set text to the contents of a TX or MD block ("" for link 0), cut to size;
 * of an MD block to what stands between <TX> and </TX>.
 * Fails: DARC_DATA, DARC_IO. */
DARC_STATUS darc_mdf4_text(char *text, size_t size, const darc_bytes_file *f,
                           uint64_t at, darc_err *err);

/* A stretch of record bytes. */
typedef struct {
    uint64_t first;  /* place of its first byte among all record bytes */
    uint64_t length; /* bytes, expanded */
    uint64_t at;     /* in the file */
    uint64_t packed; /* bytes there; 0: not compressed */
    uint32_t across; /* > 0: transposed, this many bytes a row */
    const unsigned char *mem; /* they are in memory; NULL: in the file */
} darc_mdf4_piece;

typedef struct {
    int count;
    darc_mdf4_piece *piece; /* owned */
    uint64_t length;        /* of all pieces */
    int open;               /* piece in hand, -1: none */
    unsigned char *bytes;   /* of it, expanded, or all in memory; owned */
    bool unfinished;        /* the length of the last block is not set */
} darc_mdf4_records;

/* List the pieces under a data group's link; unfinished: a block that says it
 * is empty, or longer than the file, goes on to the next block.
 * Fails: DARC_DATA, DARC_IO. */
DARC_STATUS darc_mdf4_records_init(darc_mdf4_records *r,
                                   const darc_bytes_file *f, uint64_t link,
                                   bool unfinished, darc_err *err);

/* Hold the bytes of a text, which is taken. */
void darc_mdf4_records_hold(darc_mdf4_records *r, darc_text_t text);
void darc_mdf4_records_clear(darc_mdf4_records *r);

/* Set to[0 .. n-1] to record bytes from `first` on.
 * Fails: DARC_DATA, DARC_IO. */
DARC_STATUS darc_mdf4_records_read(darc_mdf4_records *r,
                                   const darc_bytes_file *f, uint64_t first,
                                   unsigned char *to, size_t n, darc_err *err);
