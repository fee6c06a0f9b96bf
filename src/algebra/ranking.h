/* ranking.h - total orders on the derivatives of an ordinary ring.
 *
 * Derivation raises every derivative and keeps the order of any two of them
 * [BLOP09].  Unknowns are grouped in blocks: a block is eliminated before
 * the next one; inside a block the order of derivation decides first, then
 * the position.
 */
#pragma once

#include "algebra/names.h"
#include "base/status.h"

#include <stdbool.h>

typedef struct {
    int unknown; /* index in the symbol table */
    int order;   /* number of derivations applied, >= 0 */
} darc_deriv;

typedef struct {
    int unknowns;
    int *block;    /* block[u] of unknown u; block 0 is the highest; owned */
    int *position; /* position[u] inside the block; 0 is the highest; owned */
} darc_ranking_struct;

typedef darc_ranking_struct darc_ranking_t[1];

/* Set rk to the orderly ranking (one block) of n > 0 unknowns, the first
 * declared the highest. */
void darc_ranking_init(darc_ranking_t rk, int n);
void darc_ranking_clear(darc_ranking_t rk);
void darc_ranking_set(darc_ranking_t rk, const darc_ranking_t other);

/* Put unknown u in block[u], for every u, at position u.  On failure rk is
 * unchanged.
 * Fails: DARC_DOMAIN when a block lies outside 0 .. unknowns - 1. */
DARC_STATUS darc_ranking_set_blocks(darc_ranking_t rk, const int *block,
                                    darc_err *err);

/* Put what is not kept above what is, by unknown, each in its blocks as before.
 * Fails: as darc_ranking_set_blocks. */
DARC_STATUS darc_ranking_keep_lowest(darc_ranking_t rk, const bool *keep,
                                     darc_err *err);

/* Set the default ranking of names: states >> parameters >> outputs >>
 * inputs >> time; rk must have names->count unknowns. */
void darc_ranking_set_default(darc_ranking_t rk, const darc_names_t names);

/* Set rk from text such as "x1 x2 >> m c >> y": blocks, highest first; in a
 * block the earlier name is the higher.  Unknowns not named follow below, in
 * the order of the default ranking.  On failure rk is unchanged.
 * Fails: DARC_DOMAIN for a name that is unknown or stands twice, or an empty
 * block; the message names it and its column. */
DARC_STATUS darc_ranking_set_text(darc_ranking_t rk, const char *text,
                                  const darc_names_t names, darc_err *err);

/* Return -1, 0, 1 as a is lower than, equal to, higher than b.  Cost O(1). */
int darc_ranking_cmp(darc_deriv a, darc_deriv b, const darc_ranking_t rk);
