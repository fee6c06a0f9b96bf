/* monomials.h - monomials as arrays of exponents. */
#ifndef DARC_MODULAR_MONOMIALS_H
#define DARC_MODULAR_MONOMIALS_H

#include "base/flint.h"

#include <stdbool.h>

/* Advance e to the next exponents of n variables with a sum <= degree, 0 where
 * not used (NULL: all are); return whether there were any left, else e is 0
 * again.  The first are all 0; each stands once. */
bool darc_monomial_next(ulong *e, slong n, slong degree, const bool *used);

#endif
