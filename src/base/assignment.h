/* assignment.h - rows matched with columns so that values add up to the most.
 */
#pragma once

#include <stdbool.h>

/* Set column[i] to the column that row i is matched with, -1: none; no two have
 * the same.  value[i*columns + j] is what that counts, -1: it cannot be.  As
 * many rows are matched as can be, and of those the values have the largest
 * sum: augmenting paths of the largest gain.  Return whether all are matched.
 * Cost O(rows^2 columns (rows + columns)). */
bool darc_assign(int *column, const int *value, int rows, int columns);
