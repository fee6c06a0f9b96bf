/* smoothing.h - what smoothing of estimated derivatives may have made.
 *
 * A derivative that stays inside a term is estimated by a polynomial over
 * 2h + 1 samples, which loses what varies faster.  A smoother half as wide
 * loses no more than half of that: of a smooth signal the loss grows with the
 * square of the width at least, and where power falls with the frequency
 * squared a half lies beyond twice the frequency.  So d, twice what the moments
 * e(c) differ by from those of smoothers half as wide, is a bound of it, and
 * has its direction.
 */
#pragma once

#include "fit/gls.h"

typedef struct {
    double lambda; /* d' V^-1 d, less that of one draw of noise: Q is noncentral
                      chi-square with no more than that */
    double made;   /* what it is with, for d has the direction of the loss but
                      for a part of it */
    double *score; /* W' V^-1 d, by coefficient; owned */
} darc_smoothing;

/* Set s at a point, of which narrow is the same system with the same margin and
 * test functions, and smoothers half as wide.  Replaces what s held; release it
 * with darc_smoothing_clear in any case.
 * Fails: DARC_DATA for a singular covariance; DARC_LIMIT by the budget. */
DARC_STATUS darc_smoothing_take(darc_smoothing *s, const darc_point *at,
                                const darc_weak *narrow,
                                const darc_budget *budget, darc_err *err);
void darc_smoothing_clear(darc_smoothing *s);

/* Set shift to what smoothing may have moved the coefficients of fit by, up to
 * a common sign; 0 where the information is singular. */
void darc_smoothing_shift(double *shift, const darc_smoothing *s,
                          const darc_gls *fit);
