/* gradient.h - how coefficients move with the parameters, from their values.
 *
 * The coefficients of an equation are known up to a factor that may be
 * another at every point; ratios of them are rational functions.  Along one
 * parameter these have few degrees: some values in a row give them, and with
 * them the slope.
 */
#ifndef DARC_COEFFICIENT_GRADIENT_H
#define DARC_COEFFICIENT_GRADIENT_H

#include "coefficient/blackbox.h"
#include "coefficient/thresholds.h"

/* Set value (as many places as equation e has coefficients) to those at x,
 * and d (parameters x coefficients, modulo its prime) to
 * d_vj = value_j * d(log(c_j/c_r))/dx_v with one r for all: up to multiples
 * of value, which a factor makes, the gradient.
 * Fails: as darc_blackbox_at; DARC_DOMAIN where degrees are too high. */
DARC_CHECKED darc_status darc_gradient_find(nmod_mat_t d, ulong *value,
                                            darc_blackbox_t g, int e,
                                            const ulong *x, darc_err *err);

#endif
