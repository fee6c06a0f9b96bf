/* nullity.h - whether columns with errors depend on each other linearly. */
#ifndef DARC_DECIDE_NULLITY_H
#define DARC_DECIDE_NULLITY_H

#include "decide/moments.h"

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
DARC_CHECKED darc_status darc_nullity_find(darc_nullity *f,
                                           const darc_moments *columns,
                                           double alpha, darc_err *err);
void darc_nullity_clear(darc_nullity *f);

#endif
