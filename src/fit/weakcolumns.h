/* weakcolumns.h - the terms of an equation along a recording, and the errors
 * of that.
 *
 * Column j of w holds the weak moments of term j.  Errors are second moments,
 * summed: of simulated noise on the signals, all orders of it; of what wider
 * smoothers of the estimated derivatives change, which is no less than the
 * bias of those that are used; of what the moments pick up at the Nyquist
 * frequency, no less than what sampling folds into them.
 */
#ifndef DARC_FIT_WEAKCOLUMNS_H
#define DARC_FIT_WEAKCOLUMNS_H

#include "fit/weakfit.h"

typedef struct {
    int n;         /* terms */
    size_t rows;   /* moments of each */
    double *w;     /* by columns; owned */
    double *t;     /* n x n, second moments of the errors; owned */
    int draws;     /* how many times noise was simulated */
    double *noise; /* draws times the errors that noise made, as w; owned */
    size_t used;   /* samples */
} darc_weakcolumns;

/* A recording of an equation. */
typedef struct {
    const darc_weakfit *f; /* open: the total and the noise are read */
    const int *column;     /* of the table, as darc_weakfit_open sets it */
    const darc_table *table;
    int number; /* its noise is that of no other number */
} darc_weaksource;

/* Set out to the columns of a recording.  rows is 0 where that is too short
 * for more moments than terms.
 * Fails: as darc_weak_new; DARC_LIMIT on a spent budget. */
DARC_CHECKED darc_status darc_weakcolumns_init(darc_weakcolumns *out,
                                               const darc_weaksource *from,
                                               const darc_weakcheck_options *o,
                                               const darc_budget *budget,
                                               darc_err *err);

void darc_weakcolumns_clear(darc_weakcolumns *c);

/* Set x (n entries) to the RMS of each column without its errors. */
void darc_weakcolumns_sizes(double *x, const darc_weakcolumns *c);

/* Return the degrees of freedom of |W c|^2 where it is noise: twice the square
 * of its mean over its variance, a lower bound from the draws. */
double darc_weakcolumns_dof(const darc_weakcolumns *c, const double *direction);

#endif
