/* moments.h - the weak moments of the terms of one equation along a recording,
 * and the errors of these.
 *
 * Column j of w holds the moments of term j.  Errors are second moments,
 * summed: of simulated noise on the signals, all orders of it; of what wider
 * smoothers of the estimated derivatives change, which is no less than the
 * bias of those that are used; of what the moments pick up at the Nyquist
 * frequency, no less than what sampling folds into them.
 */
#ifndef DARC_DECIDE_MOMENTS_H
#define DARC_DECIDE_MOMENTS_H

#include "fit/regression.h"

typedef struct {
    int n;         /* terms */
    size_t rows;   /* moments of each */
    double *w;     /* by columns; owned */
    double *t;     /* n x n, second moments of the errors; owned */
    int draws;     /* how many times noise was simulated */
    double *noise; /* draws times the errors that noise made, as w; owned */
    size_t used;   /* samples */
} darc_moments;

/* Set out to the moments of table, of whose only equation r tells; x gives
 * criteria and budget.  rows is 0 where the recording is too short for more
 * moments than terms. Fails: as darc_weak_new; DARC_LIMIT on a spent budget. */
DARC_CHECKED darc_status darc_moments_init(darc_moments *out,
                                           const darc_regression *r,
                                           const darc_question *x,
                                           const darc_table *table,
                                           darc_err *err);
void darc_moments_clear(darc_moments *m);

/* Set size (n entries) to the RMS of each column without its errors. */
void darc_moments_sizes(double *size, const darc_moments *m);

/* Return the degrees of freedom of |W c|^2 where it is noise: twice the square
 * of its mean over its variance, a lower bound from the draws. */
double darc_moments_dof(const darc_moments *m, const double *c);

#endif
