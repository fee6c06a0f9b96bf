/* weakslope.h - what the noise of estimated derivatives makes. */
#ifndef DARC_FIT_WEAKSLOPE_H
#define DARC_FIT_WEAKSLOPE_H

#include "fit/weakfit.h"

/* Return the share of the leading term by which noise in estimated
 * derivatives may move a term: the power of that noise over that of the
 * derivative, times f->share of the term.  The bias of products is corrected,
 * and the covariance holds their noise, to the order of that ratio; simulated
 * coefficients were off by up to a third of it.  0 where no derivative is
 * estimated. */
double darc_weakfit_slope_noise(const darc_weakfit *f);

#endif
