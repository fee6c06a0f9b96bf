/* bounded.h - linear equations whose unknowns have bounds. */
#pragma once

#include <stdbool.h>

/* Solve g x = b, g symmetric and positive definite, n x n: x is b at first, low
 * and high the bounds of each.  What would go beyond is held at its bound, and
 * the others are solved without it; what does so after DARC_BOUNDED_TURNS of
 * that is cut off.  g becomes its factor.  Return false where it has none.
 * Cost: as many factors. */
bool darc_bounded_solve(double *x, double *g, int n, const double *low,
                        const double *high);
