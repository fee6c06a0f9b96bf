/* differences.h - sums of the squares of high differences. */
#ifndef DARC_NOISE_DIFFERENCES_H
#define DARC_NOISE_DIFFERENCES_H

#include "data/table.h"

enum { DARC_DIFFERENCES_MAX = 20 };

/* Add to sum[p], 1 <= p <= DARC_DIFFERENCES_MAX, p < n, the sum of the squares
 * of the differences of order p of y, n values, whose first value is one of the
 * first `starts` <= n.  y begins at sample `begin` of a column of the table;
 * NULL: of none.  One pass. */
void darc_differences_add(double *sum, const double *y, size_t n, size_t starts,
                          const darc_table *table, size_t begin);

#endif
