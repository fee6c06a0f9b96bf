/* differences.h - sums of the squares of high differences. */
#ifndef DARC_NOISE_DIFFERENCES_H
#define DARC_NOISE_DIFFERENCES_H

#include "data/table.h"

enum { DARC_DIFFERENCES_MAX = 20 };

/* Add to sum[p], 1 <= p <= orders <= DARC_DIFFERENCES_MAX, p < n, the sum of
 * the squares of the n - p differences of order p of y, which begins at sample
 * `begin` of a column of the table; NULL: of none.  One pass. */
void darc_differences_add(double *sum, int orders, const double *y, size_t n,
                          const darc_table *table, size_t begin);

/* The same for the differences whose first value is one of the first
 * `starts` <= n. */
void darc_differences_add_from(double *sum, int orders, const double *y,
                               size_t n, size_t starts, const darc_table *table,
                               size_t begin);

#endif
