/* dependence.h - monomials of io-equations that depend on each other.
 *
 * An elimination takes derived signals for free inputs.  Where they are bound
 * to the signals they are computed from (laws.h), monomials may depend on each
 * other: y' = 2*r*r' for r = sqrt(y).  No recording could then tell their
 * coefficients apart, and what was concluded from each of them would be wrong:
 * one of them is expressed by the others.
 */
#ifndef DARC_ELIMINATE_DEPENDENCE_H
#define DARC_ELIMINATE_DEPENDENCE_H

#include "projection/ioeq.h"

/* Express monomials of the equations of io, of low degree and order, by others
 * until they are linearly independent over Q on all signals that obey the laws
 * of the model; an equation that holds for all such signals is dropped.  The
 * dependences are found modulo a prime of 60 bits and hold modulo another.
 * Fails: DARC_LIMIT when an equation that is not expanded has dependent
 * monomials, or an equation has more than 2000 monomials, or a budget is
 * spent.  Cost O(monomials^3) for each equation, none without laws. */
DARC_CHECKED darc_status darc_ioeqs_make_independent(darc_ioeqs_t io,
                                                     const darc_model *model,
                                                     const darc_budget *budget,
                                                     darc_err *err);

#endif
