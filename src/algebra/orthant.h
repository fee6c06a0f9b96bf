/* orthant.h - a proof that polynomials are nowhere all >= 0 where all variables
 * are positive (src/MATHEMATICS.md, 11, Meeting a target).
 *
 * The orthant is covered by boxes in the logarithms of the variables, bounded
 * and unbounded ones, on each of which one of the polynomials is negative.
 */
#pragma once

#include "base/budget.h"
#include "base/flint.h"

#include <stdbool.h>

typedef struct {
    const fmpz_mpoly_struct *f;
    int count;
    const fmpz_mpoly_ctx_struct *ctx;
    bool *used;  /* f[i] served: set, never cleared */
    slong boxes; /* on which one is negative: added to */
    double work; /* operations of DARC_ORTHANT_WORK: added to */
} darc_orthant;

/* Return whether all is covered before work or budget are spent.
 * Boxes are sought from `centre` on, of each variable a number > 0. */
bool darc_orthant_cover(darc_orthant *o, const double *centre,
                        const darc_budget *budget);
