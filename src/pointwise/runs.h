/* runs.h - which samples have a residual, cut into blocks. */
#ifndef DARC_POINTWISE_RUNS_H
#define DARC_POINTWISE_RUNS_H

#include "data/table.h"

#include <stdbool.h>
#include <stddef.h>

#define DARC_BLOCK 128

/* n consecutive samples from start[a] of recording a. */
typedef struct {
    size_t start[2];
    size_t n;
    size_t at;  /* samples used before it */
    bool inner; /* wide formulas fit as well */
} darc_block;

/* Consecutive blocks, all full but the last, all inner or none. */
typedef struct {
    darc_block all; /* the samples of all of them */
    size_t first;   /* number of the first block */
} darc_run_of_blocks;

typedef struct {
    size_t count; /* blocks */
    size_t runs, alloc;
    darc_run_of_blocks *run; /* owned */
    size_t used, inner;      /* samples in all blocks, in inner ones */
} darc_blocks;

/* Set b to the samples that stay `half[a]` away from the ends of segments of
 * tables[a], inner from `wide[a]` >= half[a] on; those of two recordings are
 * paired in order. */
void darc_blocks_init(darc_blocks *b, const darc_table *const *tables,
                      int recordings, const size_t *half, const size_t *wide);

/* Return block number i < b->count.  Cost O(log runs). */
darc_block darc_blocks_at(const darc_blocks *b, size_t i);
void darc_blocks_clear(darc_blocks *b);

#endif
