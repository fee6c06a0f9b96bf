/* weakstack.h - the columns of two recordings as one set of columns. */
#ifndef DARC_FIT_WEAKSTACK_H
#define DARC_FIT_WEAKSTACK_H

#include "fit/weakcolumns.h"

/* Set out to the columns of a above those of b, either in units of its errors.
 * Where shared[j] (NULL: everywhere), term j is one column; elsewhere that of
 * a stands above zeros, that of b below zeros and behind all n of the others.
 * Thus c is a relation of out iff one of a and one of b have it in the terms
 * that are shared. */
void darc_weakstack_init(darc_weakcolumns *out, const darc_weakcolumns *a,
                         const darc_weakcolumns *b, const bool *shared);

/* Return about how many numbers that takes. */
double darc_weakstack_size(const darc_weakcolumns *a, const darc_weakcolumns *b,
                           const bool *shared);

#endif
