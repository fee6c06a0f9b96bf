/* runs.h - which samples have a residual, cut into blocks. */
#ifndef DARC_NUMERIC_RUNS_H
#define DARC_NUMERIC_RUNS_H

#include "darc/table.h"

#include <stdbool.h>
#include <stddef.h>

#define DARC_BLOCK 128

/* n <= DARC_BLOCK consecutive samples from start[a] of recording a. */
typedef struct {
    size_t start[2];
    size_t n;
    size_t at;  /* samples used before it */
    bool inner; /* wide formulas fit as well */
} darc_block;

typedef struct {
    size_t count, alloc;
    darc_block *block; /* owned */
    size_t used;       /* samples in all blocks */
} darc_blocks;

/* Set b to the samples that stay `half[a]` away from the ends of segments of
 * tables[a], inner from `wide[a]` >= half[a] on; those of two recordings are
 * paired in order. */
void darc_blocks_init(darc_blocks *b, const darc_table *const *tables,
                      int recordings, const size_t *half, const size_t *wide);
void darc_blocks_clear(darc_blocks *b);

#endif
