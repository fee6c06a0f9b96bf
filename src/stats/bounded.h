/* bounded.h - linear equations whose unknowns have bounds. */
#pragma once

#include <stdbool.h>

/* Set x to where x'gx / 2 - b'x is least within low <= x <= high, g symmetric
 * and positive definite, n x n; x is b at first.  Where no bound holds g x is
 * b.  By the projected steps of Newton of [Ber82].  g becomes its factor.
 * Return false where it has none.  Cost: some factors. */
bool darc_bounded_solve(double *x, double *g, int n, const double *low,
                        const double *high);
