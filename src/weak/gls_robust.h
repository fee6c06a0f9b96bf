/* gls_robust.h - covariances of coefficients that a misfit is counted in.
 *
 * A misfit of the model is no noise: it lasts, and follows the signals.  Its
 * effect on the coefficients is measured in three ways: by products of scores
 * over few test functions (HAC), by the model's covariance times Q/dof, and by
 * the spread of the scores over DARC_GLS_BLOCKS parts of the recording, which
 * sees what lasts.  Each may see what the others miss.
 */
#ifndef DARC_WEAK_GLS_ROBUST_H
#define DARC_WEAK_GLS_ROBUST_H

#include "weak/gls_inside.h"

/* Set out (coeffs x coeffs) to I^-1 S I^-1 over the n coefficients listed in
 * `index`, 0 elsewhere; infinite where I is singular. */
void darc_gls_sandwich(double *out, const double *info, const double *s,
                       int coeffs, const int *index, int n);

/* Set cov to the least that is at least cov, Q/dof times the covariance of the
 * model and the covariance over parts, in every direction. */
void darc_gls_widen(darc_gls *fit, const darc_gls_sums *s, const int *index,
                    int n);

#endif
