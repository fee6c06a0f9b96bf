/* attenuation.h - were all that the equations leave noise, how much of their
 * terms would be noise as well?
 *
 * Noise in regressors attenuates coefficients (errors in variables [Ful87]).
 * Of white noise that is known and allowed for.  Where the noise has an unknown
 * spectrum, and a term is a small difference of large signals, k (p - q), what
 * attenuates k is not known: what is left goes with the signals then, and no
 * test holds its level.
 */
#pragma once

#include "fit/fit.h"

/* Return the largest share of the power of a term without derivatives that
 * noise would make, 0 .. HUGE_VAL.  Cost: terms times coefficients. */
double darc_attenuation_of(const darc_fit *f);

/* Return the share of the RMS of an output, within its band, that noise would
 * be, of the output of which it is largest. */
double darc_attenuation_noise(const darc_fit *f);
