/* theil.h - how near and how alike a reference and a simulated series are:
 * norms, Theil's inequality coefficients [The61], the grey relational degree
 * [Den89], [YLLJ14].
 *
 * Both series have n > 0 finite samples at the same times.  Theil's do not see
 * the shape: a noisy signal and one with an offset may score alike.
 */
#ifndef DARC_AGREE_THEIL_H
#define DARC_AGREE_THEIL_H

#include "darc/status.h"

#include <stdbool.h>
#include <stddef.h>

/* Both at the same times, dt seconds apart. */
typedef struct {
    const double *reference, *simulation;
    size_t n; /* samples of each */
    double dt;
} darc_matched;

typedef struct {
    double reference, simulation, difference; /* sqrt(sum of squares) */
} darc_norms;

/* Return the norms; squares that overflow or underflow do no harm. */
darc_norms darc_norms_of(const double *reference, const double *simulation,
                         size_t n);

/* Return the largest |x[i]|. */
double darc_norms_max(const double *x, size_t n);

/* Return the mean of x. */
double darc_norms_mean(const double *x, size_t n);

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

/* The grey relational degree: with D_i = |r_i - s_i| the mean of (min D +
 * lambda max D) / (D_i + lambda max D), 1 for equal series.
 * Trap: it looks only at how D varies.  Two series at a constant distance
 * score 1 however far apart they are; `parallel` says so. */
typedef struct {
    double degree;
    double least, most; /* min D, max D, in the unit of the signal */
    bool parallel;      /* the trap: max D > 0, min D / max D over the limit */
} darc_grey;

/* Return the degree of n > 0 finite samples, lambda > 0. */
darc_grey darc_grey_degree(const double *reference, const double *simulation,
                           size_t n, double lambda);

#endif
