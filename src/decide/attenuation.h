/* attenuation.h - coefficients that noise in regressors attenuates (errors in
 * variables [Ful87]).
 *
 * Of white noise that is known and allowed for.  Where the spectrum is unknown,
 * and a term is a small difference of large signals, k (p - q), what attenuates
 * k is not: what is left goes with the signals then, and no test holds its
 * level.
 */
#pragma once

#include "fit/fit.h"

/* Return the largest share of the power of a sum or difference of outputs, with
 * one coefficient, that noise would make, 0 .. HUGE_VAL; 0: there is none.
 * Cost: terms times variables. */
double darc_attenuation_of(const darc_fit *f);

/* Return the share of the RMS of an output, within its band, that noise would
 * be, of the output of which it is largest. */
double darc_attenuation_noise(const darc_fit *f);
