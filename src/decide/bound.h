/* bound.h - whether the coefficients of one equation obey what the model binds
 * them by.
 *
 * The relations are tested by Wald's statistic, which takes them as linear
 * within the errors of the coefficients.  Where a coefficient is hardly known,
 * or parameters exist that make all coefficients within noise, that statistic
 * refutes nothing.
 */
#ifndef DARC_DECIDE_BOUND_H
#define DARC_DECIDE_BOUND_H

#include "coefficient/coeffrel.h"
#include "fit/weakfit.h"

typedef struct {
    const darc_weakfit *f; /* of the equation; referred as ratios are */
    const darc_model *model;
    const darc_ioeqs_struct *io;
    int e;
    const darc_weakcheck_options *each; /* at the level of either part */
    double alpha;                       /* of both */
    const darc_budget *budget;
} darc_bound;

/* Set r to the relations that the coefficients of equation e obey whatever
 * the parameters; none where they are not known as polynomials.
 * Fails: DARC_LIMIT on a spent budget. */
DARC_CHECKED darc_status darc_bound_find(darc_coeffrel_t r,
                                         const darc_ioeqs_t io, int e,
                                         const darc_budget *budget,
                                         darc_err *err);

/* Let the decision of out, which is that of free coefficients, hold for
 * coefficients that obey r. */
void darc_bound_decide(darc_weakcheck *out, const darc_coeffrel_t r,
                       const darc_bound *b);

#endif
