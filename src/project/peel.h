/* peel.h - polynomials that are linearly independent at first sight. */
#ifndef DARC_PROJECT_PEEL_H
#define DARC_PROJECT_PEEL_H

#include "base/flint.h"

#include <stdbool.h>

/* Set alone[k] to whether p[k], k < n, holds a monomial that no other has,
 * once others found so are set aside: it is in every basis of the p and in
 * no expression of another.  (Some may be missed.)  Cost O(t log t), t
 * terms. */
void darc_peel(bool *alone, const fmpz_mpoly_struct *p, slong n,
               const fmpz_mpoly_ctx_t ctx);

#endif
