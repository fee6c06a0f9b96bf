/* smoothing.h - what smoothing in estimated derivatives may have made of a
 * residual.
 *
 * A derivative that stays inside a term is estimated by a polynomial over 2h +
 * 1 samples, which loses what varies faster.  A smoother half as wide loses no
 * more than half of that: of a smooth signal the loss grows with the square of
 * the width at least, and where power falls with the frequency squared a half
 * lies beyond twice the frequency.  So the loss is at most twice of what
 * halving the width changes, less what that does to the noise.
 */
#ifndef DARC_FIT_SMOOTHING_H
#define DARC_FIT_SMOOTHING_H

#include "weak/system.h"

/* Set *lambda to d' V^-1 d, d twice what the moments e(c) of weak differ from
 * those of narrow: the same system, margin and test functions with smoothers
 * half as wide; one draw of noise is taken off.  Q is noncentral chi-square
 * with no more than that. Fails: DARC_DATA for a singular covariance;
 * DARC_LIMIT by the budget. */
DARC_CHECKED darc_status darc_smoothing_doubt(
    double *lambda, const darc_weak *weak, const darc_weak *narrow,
    const double *c, const darc_budget *budget, darc_err *err);

#endif
