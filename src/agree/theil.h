/* theil.h - Theil's inequality coefficients: how near a simulated series is
 * to a reference [The61], [YLLJ14].
 *
 * Both series have n > 0 finite samples at the same times.  Neither sees the
 * shape: a noisy signal and one with an offset may score alike (grey.h).
 */
#ifndef DARC_AGREE_THEIL_H
#define DARC_AGREE_THEIL_H

#include "darc/status.h"

#include <stddef.h>

/* Return sqrt(mean (r-s)^2) / (sqrt(mean r^2) + sqrt(mean s^2)), in 0 .. 1;
 * 0 when both are zero. */
double darc_theil_classical(const double *reference, const double *simulation,
                            size_t n);

/* Return sqrt(sum (r-s)^2) / sqrt(sum r^2), the coefficient against the
 * reference of [YLLJ14]; the numerator alone if the reference is zero. */
double darc_theil_reference(const double *reference, const double *simulation,
                            size_t n);

/* Return the proximity exp(-lambda T) of [YLLJ14], lambda > 0. */
double darc_theil_proximity(double coefficient, double lambda);

#endif
