/* weakbias.h - what noise of unknown size does to coefficients. */
#ifndef DARC_FIT_WEAKBIAS_H
#define DARC_FIT_WEAKBIAS_H

#include "fit/weakfit.h"

/* Set f->drowned, and f->bias: 0 where the noise of every signal is known.
 * Where it is known from above only (no band free of signal; what is coherent
 * with no other signal) the correction of coefficients for it may be far too
 * large: f->bias is the share of the leading term that coefficients without
 * this correction would move the equation by; the truth lies between. Fails:
 * DARC_LIMIT by the budget.  Cost: one more fit. */
DARC_CHECKED darc_status darc_weakfit_set_bias(
    darc_weakfit *f, const darc_table *table, const int *column,
    const darc_weakcheck_options *o, const darc_budget *budget, darc_err *err);

#endif
