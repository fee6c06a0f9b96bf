/* pointwise.h - the verdict from the residual at every sample.
 *
 * Let r be the residual, n the noise in it, e its truncation, o its rounding
 * (residual.h), and q the response: RMS of (dr/dv) v, v the leading
 * derivative.  RMS of r over RMS of q is the relative error of v that would
 * explain r; this is the defect, a fraction.
 *   |e| <= |r_p - r_(p+2)| + 2 |r_(p+2) - r_(p+4)| in RMS over formulas of
 * rising order p, provided that the second difference is at most half of the
 * first, as it is when the signals are resolved: the rest is a geometric
 * series.  r^2 is a quadratic form in the noise, chi-square with as many
 * degrees of freedom as residuals are independent.
 *   inconsistent  the defect that noise at level alpha, truncation and
 *                 rounding leave unexplained exceeds the tolerance and
 *                 DARC_POINTWISE_FLOOR
 *   consistent    tolerance > 0: defect + what errors may hide <= tolerance;
 *                 tolerance 0: nothing is left unexplained, and a defect of
 *                 DARC_POINTWISE_MEANING would have been found
 *   undecided     otherwise, and always when the signals are flat, samples
 *                 are few, the sampling is too coarse for the formulas, or an
 *                 inequation may be 0 all along.
 * The method assumes white noise; noise filtered into the band of the signals
 * looks like a defect (see noise.h).
 */
#pragma once

#include "pointwise/residual.h"

typedef struct {
    double alpha;     /* false-alarm probability, 0 < alpha < 1/2 */
    double tolerance; /* fraction, >= 0 */
    darc_diff_spec diff;
    int threads;
    const double *noise_sd; /* by unknown of the model, in its unit; NAN: not
                               known; NULL: none is */
    bool series;            /* wanted */
} darc_pointwise_options;

typedef struct {
    darc_residual_summary residual; /* unit is left empty */
    darc_decision decision;
    darc_residual_errors errors;
    darc_residual_series series; /* empty unless wanted */
} darc_pointwise;

/* Set out to the verdict on the relation along its recordings; release it
 * with darc_pointwise_clear.  On failure out is empty.
 * Fails: as darc_residual_new and darc_residual_run. */
DARC_STATUS darc_pointwise_check(darc_pointwise *out,
                                 const darc_relation *relation,
                                 const darc_table *const *tables,
                                 const darc_pointwise_options *options,
                                 const darc_budget *budget, darc_err *err);
void darc_pointwise_clear(darc_pointwise *out);
