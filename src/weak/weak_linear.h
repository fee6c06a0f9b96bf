/* weak_linear.h - the covariance of moments that are linear in the signals.
 *
 * The rows of A(c) are then shifts of one another: V(c) = A A' and the
 * products A_j A' are bands with the same numbers all along.
 */
#ifndef DARC_WEAK_WEAK_LINEAR_H
#define DARC_WEAK_WEAK_LINEAR_H

#include "weak/weak_inside.h"

typedef struct {
    int coeffs, channels, band;
    double *own;    /* own[q*(band + 1) + m]: row k of A_q times row k - m;
                       owned */
    double *cross;  /* cross[j*(2*band + 1) + band + m]: row k of A_j times row
                       k - m of A, all channels; owned */
    double *factor; /* lower band of the Cholesky factor of V; owned */
    int functions;  /* as many rows of it are right */
} darc_weak_linear;

/* Set l to the bands at c, with the factor of V for as many functions as the
 * longest piece has.
 * Fails: DARC_DATA when V is singular. */
DARC_CHECKED darc_status darc_weak_linear_init(darc_weak_linear *l,
                                               const darc_weak *weak,
                                               const double *c, darc_err *err);
void darc_weak_linear_clear(darc_weak_linear *l);

/* Set out (functions x coeffs) to A_j A' x, x of `functions` values, and add
 * |A_q' x|^2 to share[q]. */
void darc_weak_linear_apply(const darc_weak_linear *l, double *out,
                            double *share, const double *x, int functions);

#endif
