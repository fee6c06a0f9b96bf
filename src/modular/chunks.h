/* chunks.h - sparse polynomials modulo a prime in chunks, for long products.
 *
 * A monomial is two words: the main one (signals) and the side one
 * (parameters), both additive under multiplication.  A block holds the terms
 * of one main word.  Products are gathered block by block in a hash table
 * that stays in the cache: a few times faster than a heap.
 */
#ifndef DARC_MODULAR_CHUNKS_H
#define DARC_MODULAR_CHUNKS_H

#include "base/budget.h"
#include "base/flint.h"

typedef struct {
    slong count, terms;
    size_t block_alloc, term_alloc;
    ulong *main;  /* main[b] of block b, descending; owned */
    slong *first; /* its terms first[b] .. first[b+1] - 1; owned */
    ulong *side;  /* of a term; descending in a block; owned */
    ulong *coeff; /* owned */
} darc_chunks;

/* One product of a sum. */
typedef struct {
    const darc_chunks *a, *b;
    int sign; /* 1 or -1 */
} darc_product;

/* Set f to 0. */
void darc_chunks_init(darc_chunks *f);
void darc_chunks_clear(darc_chunks *f);

/* Append a term below all terms of f. */
void darc_chunks_push(darc_chunks *f, ulong main, ulong side, ulong coeff);

/* Set f to the sum of count products, mod.n below 2^62; f is no factor.  Long
 * sums are shared among the threads of the budget; f does not depend on them.
 * Cost O(products of terms).  Fails: DARC_LIMIT on a spent budget. */
DARC_CHECKED darc_status darc_chunks_sum(darc_chunks *f, const darc_product *p,
                                         slong count, nmod_t mod,
                                         const darc_budget *budget,
                                         darc_err *err);

#endif
