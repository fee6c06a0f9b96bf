/* nullity.h - whether columns with errors depend on each other linearly. */
#ifndef DARC_FIT_NULLITY_H
#define DARC_FIT_NULLITY_H

#include "fit/weakcolumns.h"

/* What the columns of one or both recordings show. */
typedef struct {
    const darc_weakcolumns *columns;
    double *value; /* stationary values, ascending; owned */
    double *c;     /* direction of the least; owned */
    double dof;    /* of |W c|^2 */
    double limit;  /* quantile of its ratio to the mean under noise */
    int free;      /* directions that do not exceed it */
    double p_value;
    double defect, low, detectable; /* shares of the leading term */
} darc_nullity;

/* Set f, in which the columns are set, at level alpha; false
 * where LAPACK fails.  low is the least share of its leading term that any
 * direction leaves, 0 where one leaves nothing. */
bool darc_nullity_find(darc_nullity *f, double alpha);
void darc_nullity_clear(darc_nullity *f);

#endif
