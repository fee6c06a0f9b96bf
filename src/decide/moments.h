/* moments.h - the weak moments of the terms of one equation along a recording,
 * and the errors of these.
 *
 * Column j of w holds the moments of term j.  Errors are second moments,
 * summed: of simulated noise on the signals, all orders of it; of what wider
 * smoothers of the estimated derivatives change, which is no less than the
 * bias of those that are used; of what the moments pick up at the Nyquist
 * frequency, no less than what sampling folds into them.
 */
#pragma once

#include "fit/regression.h"

#include <stdbool.h>
#include <stddef.h>

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
DARC_STATUS darc_moments_init(darc_moments *out, const darc_regression *r,
                              const darc_question *x, const darc_table *table,
                              darc_err *err);
void darc_moments_clear(darc_moments *m);

/* Set size (n entries) to the RMS of each column without its errors. */
void darc_moments_sizes(double *size, const darc_moments *m);

/* Return the degrees of freedom of |W c|^2 where it is noise: twice the square
 * of its mean over its variance, a lower bound from the draws. */
double darc_moments_dof(const darc_moments *m, const double *c);

/* What the columns of one or both recordings show. */
typedef struct {
    const darc_moments *columns;
    double *value; /* stationary values, ascending; owned */
    double *c;     /* direction of the least; owned */
    double dof;    /* of |W c|^2 */
    double limit;  /* quantile of its ratio to the mean under noise */
    int free;      /* directions that do not exceed it */
    double p_value;
    double defect, low, detectable; /* shares of the leading term */
} darc_nullity;

/* Set f to what the columns show at level alpha; release it with
 * darc_nullity_clear in any case.  low is the least share of its leading term
 * that any direction leaves, 0 where one leaves nothing.
 * Fails: DARC_INTERNAL where LAPACK does. */
DARC_STATUS darc_nullity_find(darc_nullity *f, const darc_moments *columns,
                              double alpha, darc_err *err);
void darc_nullity_clear(darc_nullity *f);

/* The columns W (rows x n) have errors with the second moments
 * T = E[dW' dW].  For a direction c that is a relation of the true columns
 * |W c|^2 / c'Tc has the mean 1; its least value over all c, a generalised
 * singular value, is no more than that whatever c is.
 */

/* Set value[0 .. n-1] to the stationary values of |W c|^2 / c'Tc, ascending,
 * and c to a direction of the least one.  w is stored by columns, t is
 * symmetric and not negative.  Columns are taken to be known to 1e-10 of
 * themselves at best, and errors to be independent to 1e-6 of themselves.
 * False where LAPACK fails.  Cost O(rows n^2). */
bool darc_pencil_values(double *value, double *c, const double *w, size_t rows,
                        const double *t, int n);
