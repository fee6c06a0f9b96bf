/* groebner.h - Groebner bases modulo a prime, by Buchberger's algorithm with
 * the criteria of Gebauer and Moeller.
 *
 * Made for fibres of coefficient maps: generic points, no variable vanishes,
 * so that monomial factors of a polynomial are dropped.
 */
#ifndef DARC_MODULAR_GROEBNER_H
#define DARC_MODULAR_GROEBNER_H

#include "base/budget.h"
#include "base/flint.h"

#include <stdbool.h>
#include <stddef.h>

typedef struct {
    const nmod_mpoly_ctx_struct *ctx; /* not owned */
    slong count;
    size_t alloc;
    nmod_mpoly_struct *g; /* monic, none of a leading monomial divisible by
                             another; {1}: the ideal is everything */
} darc_groebner_struct;

typedef darc_groebner_struct darc_groebner_t[1];

/* Set b to a basis of the ideal of f[0 .. n-1], saturated by the variables
 * as far as monomial factors appear on the way.
 * Fails: DARC_LIMIT on a spent budget, from which products of terms are taken.
 */
DARC_CHECKED darc_status darc_groebner_init(darc_groebner_t b,
                                            const nmod_mpoly_struct *f, slong n,
                                            const nmod_mpoly_ctx_struct *ctx,
                                            const darc_budget *budget,
                                            darc_err *err);
void darc_groebner_clear(darc_groebner_t b);

/* Set r to the normal form of f; r may be f. */
void darc_groebner_reduce(nmod_mpoly_t r, const nmod_mpoly_t f,
                          const darc_groebner_t b);

/* Return whether f lies in the ideal; whether the ideal is everything. */
bool darc_groebner_contains(const darc_groebner_t b, const nmod_mpoly_t f);
bool darc_groebner_is_one(const darc_groebner_t b);

#endif
