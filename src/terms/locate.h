/* locate.h - when held inputs changed, between the samples that show it.
 *
 * A switch is thrown, a generator runs by a clock of its own: each change came
 * at some time between the last sample of the old value and the first of the
 * new one.  The moments of a step are exact at any time (weak/steps.h), so the
 * times are coefficients more: by Gauss and Newton on the whitened moments,
 * those of the equations free beside them.  Before the recording is asked,
 * times scatter as they would anywhere between two samples, about a mean of
 * their own.
 */
#pragma once

#include "fit/fit.h"

/* Set early[u], for each unknown u that f found to be held, to how many samples
 * before the one that shows it each change came: table->samples values, which
 * the caller frees; NULL for others.  *price is what so many times cost: of
 * twice the logarithm of the likelihood with them, to be compared with that of
 * changes at samples (Laplace's approximation of the marginal likelihood);
 * HUGE_VAL: they explain far less.
 * Return false, and no arrays, where there are no changes, or too many to be
 * told, or samples are not evenly there.  Cost: some twenty passes over the
 * moments. */
DARC_CHECKED bool darc_locate_changes(double **early, double *price,
                                      const darc_fit *f, const darc_question *x,
                                      const darc_table *table, double alpha);

/* Set f->spread, of a fit with located changes, to what their times, which are
 * not known exactly, add to the covariance of its coefficients. */
void darc_locate_spread(darc_fit *f, const darc_question *x,
                        const darc_table *table);
