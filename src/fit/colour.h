/* colour.h - how sure coefficients are where noise may have any colour.
 *
 * What is left of a fit is noise.  z = A' V^-1 e is the noise that the moments
 * show, V that of the noise above the band as if it were white: where there are
 * as many equations as noisy signals it is, inside the band of the test
 * functions, all of the noise, and its spectrum is S.  What the fit has taken
 * of it is given back.  log S is as straight a function of the logarithm of the
 * frequency as z allows: below the first frequencies of a recording, and where
 * coefficients take all, it goes on as it goes beside.  The score of
 * coefficient j is a sum b_j'n over the noise n, of variance sum S |b_j|^2.
 */
#pragma once

#include "fit/gls.h"

/* Set fit->cov and fit->error_dof to those under noise of the spectrum that is
 * left, fit made at a point: of channels marked `any`, but for those of which
 * next to nothing is seen, which are marked no more; others have the noise that
 * they are said to have.  Where what is left may be a misfit, or sampling folds
 * much into the moments, fit->cov is no less than it was. Fails: DARC_DATA,
 * DARC_LIMIT as darc_gls_fit. */
DARC_CHECKED darc_status darc_colour_covariance(darc_gls *fit,
                                                const darc_point *at, bool *any,
                                                bool misfit,
                                                const darc_budget *budget,
                                                darc_err *err);
