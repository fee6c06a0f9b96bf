/* total_inside.h - lists of Laurent terms, as the files of total.h share
 * them.
 */
#ifndef DARC_WEAK_TOTAL_INSIDE_H
#define DARC_WEAK_TOTAL_INSIDE_H

#include "weak/total.h"

/* Add factor * (d/dt)^order prod var^exponent [* log] to total; like terms
 * are combined.  exponent is copied. */
void darc_total_add(darc_total_t total, int coeff, int order,
                    const fmpq_t factor, const int *exponent, int log);

/* Set out to the variables and mu of total, without terms. */
void darc_total_init_like(darc_total_t out, const darc_total_t total);

#endif
