/* metric.h - what a model error looks like, and the metric that goes with it.
 *
 * Were every term j of equation q off by an independent error of the same
 * relative size, the moments would have the covariance
 *   M_q = sum_j A_j^2 Psi_j Psi_j',  Psi_j = Phi^(d_j) / omega0^d_j,
 * A_j the RMS of term j, d_j its order of total derivation, omega0 the
 * frequency at which the signals of the equation live (the highest ratio of
 * the RMS of a derived to that of the underived moments about their mean).
 * rho^2 M_q is the covariance that is added to that of the noise where a
 * structure does not hold to within noise; F_q = M_q^(-1/2) is the row filter
 * of the yardstick: a low pass at omega0 of as many poles as the equation has
 * orders, so that the defect hardly depends on the test functions.
 */
#pragma once

#include "base/budget.h"
#include "weak/piece.h"

typedef struct {
    int equations, lags; /* of functions: the degree of the splines */
    double *lag; /* lag[q*(lags + 1) + m]: row k of M_q with row k - m; owned */
    double *omega;  /* omega0 of equation q, 1/s; 0 where no term is derived;
                       owned */
    double *moving; /* of equation q: RMS of its largest term about the mean
                       over that of the largest term, of moments; 1 where an
                       offset takes up the mean; owned */
    double *origin; /* by coefficient: what of its column an offset takes up, in
                       columns of the offset; owned */
    int *offset;    /* of equation q: the coefficient that takes up an origin;
                       -1: none; owned */
} darc_metric;

/* Set m to the metric of the terms at c, which every so many pieces show, 8 at
 * most; offset[q] is the coefficient of equation q that takes
 * up an origin, -1: none.
 * Cost: O(samples * terms) of these. */
void darc_metric_init(darc_metric *m, const darc_weak *weak, const double *c,
                      const int *offset);
void darc_metric_clear(darc_metric *m);

/* Add rho[q]^2 M_q to the lower band ab (band + 1) x rows of all equations. */
void darc_metric_add(double *ab, int band, int rows, const darc_metric *m,
                     const double *rho);

/* Set factor ((lags + 1) x functions) to the lower band of the Cholesky factor
 * of M_q, which serves any number of functions up to that.  Return false where
 * it is singular. */
DARC_CHECKED bool darc_metric_factor(double *factor, const darc_metric *m,
                                     int q, int functions);
