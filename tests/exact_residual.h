/* exact_residual.h - the pointwise residual with many bits: weights from exact
 * rational moment equations, terms or determinant by MPFR. */
#ifndef DARC_TESTS_EXACT_RESIDUAL_H
#define DARC_TESTS_EXACT_RESIDUAL_H

#include "pointwise/residual.h"

/* Recompute the residual at `samples` samples, evenly spread, from the recorded
 * numbers; return the greatest |double - MPFR| over the rounding bound: a value
 * above 1 disproves the bound. */
double exact_residual_worst(const darc_residual *residual, int bits,
                            size_t samples);

#endif
