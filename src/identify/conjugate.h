/* conjugate.h - functions that are constant where the coefficients are.
 *
 * Simple ratios of coefficients may leave points together in one fibre that
 * the other coefficients tell apart, and these may be too complex to be
 * interpolated.  Their values are enough: a polynomial is in the field that
 * all coefficients generate iff it agrees at points at which these agree.
 */
#ifndef DARC_IDENTIFY_CONJUGATE_H
#define DARC_IDENTIFY_CONJUGATE_H

#include "coefficient/blackbox.h"
#include "identify/fibre.h"

/* What is known: ratios of the same rank as the field of g, and parameters
 * that are independent over it, as many as fibres have dimensions. */
typedef struct {
    const darc_ratios_struct *ratio;
    const bool *fixed;
    darc_blackbox_struct *g;
    const darc_budget *budget;
    const ulong *x, *y; /* two points modulo mod, in one fibre of the ratios */
    nmod_t mod;
    flint_rand_t *rand;
} darc_conjugates;

/* Look for a polynomial of degree <= degree in the parameters of the ratios
 * that is in the field of g and differs at x and y; *found: h is one.
 * Fails: DARC_LIMIT on a spent budget. */
DARC_CHECKED darc_status darc_conjugates_find(fmpz_mpoly_t h, bool *found,
                                              const darc_conjugates *c,
                                              slong degree, darc_err *err);

#endif
