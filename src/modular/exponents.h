/* exponents.h - monomials as arrays of exponents, and lists of them. */
#ifndef DARC_MODULAR_EXPONENTS_H
#define DARC_MODULAR_EXPONENTS_H

#include "base/flint.h"

#include <stdbool.h>
#include <stddef.h>

/* Advance e to the next exponents of n variables with a sum <= degree, 0 where
 * not used (NULL: all are); return whether there were any left, else e is 0
 * again.  The first are all 0; each stands once. */
bool darc_exponents_next(ulong *e, slong n, slong degree, const bool *used);

typedef struct {
    slong vars, count;
    size_t alloc;
    ulong *exp; /* of monomial i at exp + i * vars; owned */
} darc_exponents;

/* Append the monomials of total degree from .. to in the variables used (NULL:
 * all), as long as the list has at most `most`; return whether that is all. */
bool darc_exponents_append(darc_exponents *l, slong from, slong to,
                           const bool *used, slong most);

/* Return the value of monomial i at x modulo mod.n. */
ulong darc_exponents_value(const darc_exponents *l, slong i, const ulong *x,
                           nmod_t mod);

#endif
