/* norms.h - a reference and a simulation, side by side: root sums of squares
 * of both and of their difference. */
#ifndef DARC_AGREE_NORMS_H
#define DARC_AGREE_NORMS_H

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

#endif
