/* lanes.h - sums in eight lanes, the same on every processor. */
#ifndef DARC_STATS_LANES_H
#define DARC_STATS_LANES_H

#include "data/table.h"

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

#endif
