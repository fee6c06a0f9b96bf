/* lowpower.h - the low power theorem of Ritt.
 *
 * A singular solution A = 0 of F = 0 (both irreducible) is an essential
 * component, in no other one, exactly if the terms of least degree of F,
 * written as a polynomial in A, A', A'', ..., are one term that holds no
 * proper derivative of A [Ritt, Differential Algebra, 1950, III].
 */
#ifndef DARC_CHAIN_LOWPOWER_H
#define DARC_CHAIN_LOWPOWER_H

#include "algebra/dpoly.h"
#include "base/budget.h"

/* Set *essential for a that vanishes on part of f = 0; both have leaders that
 * are derivatives of the same unknown, that of a the lower.
 * Fails: DARC_LIMIT on a spent budget or a frame too small. */
DARC_CHECKED darc_status darc_lowpower(bool *essential, const darc_dpoly_t f,
                                       const darc_dpoly_t a,
                                       const darc_jet_t jet,
                                       const darc_budget *budget,
                                       darc_err *err);

#endif
