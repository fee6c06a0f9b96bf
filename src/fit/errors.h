/* errors.h - coefficients, and how sure they are, where all that the equations
 * leave is noise, of whatever colour.
 *
 * What they leave is whitened as if the noise were white.  The colour that it
 * has then is estimated (stats/ratio.h), and the coefficients with it: two
 * steps of generalised least squares.  Their covariance is no less than that
 * noise makes it, nor than the spectra of what is left do (stats/hac.h).
 *
 * Noise in regressors attenuates coefficients (errors in variables [Ful87]).
 * Of white noise that is known and allowed for.  Where the spectrum is unknown,
 * and a term is a small difference of large signals, k (p - q), what attenuates
 * k is not: what is left goes with the signals then, and no test holds its
 * level.
 */
#pragma once

#include "fit/fit.h"

/* Set the coefficients of fit, their covariance and its degrees of freedom to
 * that, *loud to the mean square of what is left over what white noise makes,
 * and spectrum to where.  Where it is white, or too short to tell, *loud is 0
 * and fit stays.
 * Fails: DARC_DATA, DARC_LIMIT as darc_gls_fit. */
DARC_STATUS darc_errors_take(darc_gls *fit, double *loud,
                             darc_octaves *spectrum, const darc_weak *weak,
                             const darc_budget *budget, darc_err *err);

/* Return twice the logarithm of the likelihood of another fit over that of f,
 * as darc_fit_likelier; where noise of f may have any colour, beside that which
 * each of them leaves: what is slow is known from few values, and white noise
 * would take it for many. */
double darc_errors_likelier(const darc_fit *f, const darc_fit *other);

/* Return the largest share of the power of a sum or difference of outputs, with
 * one coefficient, that noise would make, 0 .. HUGE_VAL; 0: there is none.
 * Cost: terms times variables. */
double darc_attenuation_of(const darc_fit *f);

/* Return the share of the RMS of an output, within its band, that noise would
 * be, of the output of which it is largest. */
double darc_attenuation_noise(const darc_fit *f);
