/* total_inside.h - lists of Laurent terms, as total.c and total_reduce.c share
 * them.
 */
#ifndef DARC_WEAK_TOTAL_INSIDE_H
#define DARC_WEAK_TOTAL_INSIDE_H

#include "weak/total.h"

/* Add factor * (d/dt)^order prod var^exponent [* log] to total; like terms
 * are combined.  exponent is copied. */
void darc_total_add(darc_total_t total, int coeff, int order,
                    const fmpq_t factor, const int *exponent, int log);

/* Remove term i; the last one takes its place. */
void darc_total_remove(darc_total_t total, int i);

/* Return whether a comes before b in the ranking of signal derivatives that
 * the reduction follows: by order, then by unknown, the first the highest. */
bool darc_total_outranks(darc_deriv a, darc_deriv b);

/* Rewrite terms until none is the derivative of something lower. */
void darc_total_reduce(darc_total_t total);

#endif
