/* carriers.h - which noise every unknown of the equations carries.
 *
 * Every measured signal has a channel of noise (weak/system.h): what its
 * spectrum, the user or a recording at rest says of it (signalnoise.h).  A
 * derived signal carries the noise of those that it is computed from, times
 * its slopes, so that y and sqrt(y) share one noise; and besides, where it has
 * one, an error of its own: sd(t) times the moving mean of white noise over
 * the samples along which that stays the same, which is the plainest noise of
 * that variance and correlation.
 */
#ifndef DARC_FIT_CARRIERS_H
#define DARC_FIT_CARRIERS_H

#include "fit/regression.h"

/* Set noise, signal, source and channel of r, whose columns are known.
 * Fails: DARC_DOMAIN where a signal that a derived one is computed from is
 * missing; as darc_signalnoise_read. */
DARC_CHECKED darc_status darc_carriers_find(darc_regression *r,
                                            const darc_question *x,
                                            const darc_table *table,
                                            darc_err *err);

/* Release them. */
void darc_carriers_clear(darc_regression *r);

#endif
