/* columns.h - several columns of samples in one piece of memory. */
#ifndef DARC_STATS_COLUMNS_H
#define DARC_STATS_COLUMNS_H

#include <stddef.h>

/* Return count pointers to columns of n zeroed doubles each; free with
 * darc_columns_free. */
double **darc_columns_new(size_t count, size_t n);
void darc_columns_free(double **columns);

#endif
