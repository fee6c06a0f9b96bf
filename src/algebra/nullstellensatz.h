/* nullstellensatz.h - a proof that polynomials have no common zero.
 *
 * Buchberger's algorithm keeps for every polynomial g that it finds how it came
 * about, m*g = sum q_i*f_i.  Factors that cannot vanish are dropped from g into
 * m; where nothing else is left of g, sum q_i*f_i = m is the proof.
 */
#pragma once

#include "base/budget.h"
#include "base/flint.h"

#include <stdbool.h>

/* What is known of the variables of ctx. */
typedef struct {
    const fmpz_mpoly_ctx_struct *ctx;
    slong given;          /* variables given, given + 1, ... have values that
                             are any, but fixed */
    const bool *nonzero;  /* of each variable: it is not 0, */
    const bool *positive; /* it is > 0 */
} darc_signs;

/* Return whether p has no zero: a number, a product of variables that have
 * none; with `real`, a sum of terms of one sign. */
bool darc_signs_exclude(const darc_signs *s, const fmpz_mpoly_t p, bool real);

typedef struct {
    slong count;
    fmpz_mpoly_struct *q; /* of each f_i; owned */
    fmpz_mpoly_t left;    /* sum q_i*f_i, exactly */
    fmpz_mpoly_t unless;  /* the part of it that may vanish, in variables
                             that are given alone; 1: none */
    bool found,
        real; /* real: only real numbers with these signs are excluded */
} darc_refutation;

/* Set r to a proof that f[0 .. n-1] have no common zero, without and then, with
 * `real`, with the help of signs.
 * Fails: DARC_LIMIT on a spent budget; past DARC_REFUTE_WORK none is found. */
DARC_STATUS darc_refutation_init(darc_refutation *r, const fmpz_mpoly_struct *f,
                                 slong n, const darc_signs *s,
                                 const darc_budget *budget, darc_err *err);
void darc_refutation_clear(darc_refutation *r, const darc_signs *s);
