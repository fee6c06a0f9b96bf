/* lanes.h - sums in eight lanes, and weights applied along a column: the same
 * on every processor. */
#pragma once

#include "data/table.h"

#if defined(__x86_64__) && defined(__gnu_linux__) && !defined(__clang__) &&    \
    !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
#define DARC_EVERY_WIDTH __attribute__((target_clones("avx2", "default")))
#else
#define DARC_EVERY_WIDTH
#endif

/* Set out[t], t < n, to the sum of w[j] * y[t + j], -half <= j <= half, where
 * w[-j] = w[j], or, if odd, w[-j] = -w[j]; by pairs: w[j] (y[t+j] +- y[t-j]).
 * At most half + 3 roundings of each product. */
void darc_stencil_apply(double *restrict out, const double *w, int half,
                        bool odd, const double *restrict y, size_t n);

/* Return the sum of x[i], of x[i] y[i], of (x[i] - shift)^2, i < n. */
double darc_lanes_sum(const double *x, size_t n);
double darc_lanes_dot(const double *x, const double *y, size_t n);
double darc_lanes_square(const double *x, double shift, size_t n);

/* y[i] += a x[i], i < n. */
void darc_lanes_add(double *restrict y, double a, const double *restrict x,
                    size_t n);

/* Return the variance of a column over the segments of its table, 0 where
 * there is no sample. */
double darc_lanes_variance(const double *x, const darc_table *table);

/* The mean of x[t] y[t], of x[t] where y is NULL. */
double darc_lanes_mean(const double *x, const double *y,
                       const darc_table *table);
