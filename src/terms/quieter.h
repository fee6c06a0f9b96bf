/* quieter.h - fits with noise that is seen where nothing jumps.
 *
 * Jumps reach all frequencies, and look like noise.
 */
#pragma once

#include "fit/cut.h"
#include "fit/fit.h"

/* Set r to the noise that is seen between the jumps of inputs, with the bands
 * that the signals have with them.  Fails: as darc_regression_init. */
DARC_CHECKED darc_status darc_noise_between(darc_regression *r,
                                            const darc_question *x,
                                            const darc_cut *cut,
                                            const darc_table *table);

/* Let f be the other fit, which is empty then. */
void darc_fit_replace(darc_fit *f, darc_fit *by);

/* As darc_fit_question, with noise that is seen where jumps of outputs are
 * taken off, or between steps of held inputs. */
DARC_CHECKED darc_status darc_fit_quieter(darc_fit *f, const darc_question *x,
                                          const darc_table *table, double alpha,
                                          darc_err *err);
