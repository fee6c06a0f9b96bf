/* chain.h - computing modulo a component: membership; frames that suffice.
 *
 * The ideal of a component C with initials and separants H is
 * [C] : H^infinity.  A polynomial belongs to it exactly if its remainder by
 * C is 0.
 */
#pragma once

#include "algebra/dpoly.h"
#include "base/budget.h"
#include "base/text.h"
#include "chain/elim.h"

/* Return whether f vanishes on the component: DARC_UNKNOWN only when the
 * budget is spent (or a derivative of order over 200 is met). */
darc_truth darc_chain_member(const darc_dpoly_t f, const darc_component *c,
                             const darc_jet_t jet, const darc_budget *budget);

/* The same, and append what is left of f, the remainder R of H*f by the
 * component, and the product H of initials and separants. */
darc_truth darc_chain_normal_form(darc_text_t rest, darc_text_t factor,
                                  const darc_dpoly_t f, const darc_component *c,
                                  const darc_jet_t jet,
                                  const darc_budget *budget);

/* Return whether the ideal of a is part of that of b, so that the solutions
 * of b are limits of solutions of a: DARC_TRUE if all equations of a belong
 * to b and its initials and separants are no zero divisors there, DARC_FALSE
 * if an equation does not belong, else DARC_UNKNOWN. */
darc_truth darc_chain_contains(const darc_component *a, const darc_component *b,
                               const darc_jet_t jet, const darc_budget *budget);

/* ---- the low power theorem of Ritt
 *
 * A singular solution A = 0 of F = 0 (both irreducible) is an essential
 * component, in no other one, exactly if the terms of least degree of F,
 * written as a polynomial in A, A', A'', ..., are one term that holds no
 * proper derivative of A [Ritt, Differential Algebra, 1950, III]. */

/* Set *essential for a that vanishes on part of f = 0; both have leaders that
 * are derivatives of the same unknown, that of a the lower.
 * Fails: DARC_LIMIT on a spent budget or a frame too small. */
DARC_STATUS darc_lowpower(bool *essential, const darc_dpoly_t f,
                          const darc_dpoly_t a, const darc_jet_t jet,
                          const darc_budget *budget);

/* ---- choosing and enlarging the frame of a computation */

/* Return the highest order in the frame. */
slong darc_frame_max_order(const darc_jet_t jet);

/* Set bound[u] to a first guess for an elimination of a system with the
 * given orders: states may be derived twice more, measured signals once more
 * for each order of a state and each parameter that is ranked above them. */
void darc_frame_guess(int *bound, const int *order, const darc_jet_t jet);

/* Raise the bounds by half, and 2; return false, with bounds unchanged, if
 * one would pass DARC_MAX_FRAME_ORDER. */
bool darc_frame_grow(int *bound, const darc_jet_t jet);
