/* errors.h - coefficients, and how sure they are, where all that the equations
 * leave is noise, of whatever colour.
 *
 * What they leave is whitened as if the noise were white.  The colour that it
 * has then is estimated (stats/ratio.h), and the coefficients with it: two
 * steps of generalised least squares.  Their covariance is no less than that
 * noise makes it, nor than the spectra of what is left do (stats/hac.h).
 */
#pragma once

#include "fit/gls.h"
#include "weak/octaves.h"

/* Set the coefficients of fit, their covariance and its degrees of freedom to
 * that, *loud to the mean square of what is left over what white noise makes,
 * and spectrum to where.  Where it is white, or too short to tell, *loud is 0
 * and fit stays.
 * Fails: DARC_DATA, DARC_LIMIT as darc_gls_fit. */
DARC_STATUS darc_errors_take(darc_gls *fit, double *loud,
                             darc_octaves *spectrum, const darc_weak *weak,
                             const darc_budget *budget, darc_err *err);
