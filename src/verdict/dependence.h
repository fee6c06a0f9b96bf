/* dependence.h - whether columns with errors depend on each other linearly. */
#ifndef DARC_VERDICT_DEPENDENCE_H
#define DARC_VERDICT_DEPENDENCE_H

#include "verdict/weakcolumns.h"

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
} darc_dependence;

/* Set f, in which the columns are set, at level alpha; false
 * where LAPACK fails.  low is the least share of its leading term that any
 * direction leaves, 0 where one leaves nothing. */
bool darc_dependence_find(darc_dependence *f, double alpha);
void darc_dependence_clear(darc_dependence *f);

#endif
