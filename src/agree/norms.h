/* norms.h - root sums of squares of two series and of their difference. */
#ifndef DARC_AGREE_NORMS_H
#define DARC_AGREE_NORMS_H

#include <stddef.h>

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
