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

/* Return whether boxes were found, within DARC_ORTHANT_WORK and the budget; set
 * used[i] where f[i] is the negative one, and add their number to *boxes.  They
 * are sought from `centre` on, of each variable a number > 0. */
bool darc_orthant_cover(bool *used, slong *boxes, const fmpz_mpoly_struct *f,
                        int count, const double *centre,
                        const fmpz_mpoly_ctx_t ctx, const darc_budget *budget);
