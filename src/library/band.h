/* band.h - `darc fulfil` over a band of frequency. */
#pragma once

#include "darc/fulfil.h"
#include "fulfil/nearest.h"
#include "session/options.h"

/* Set band and tolerance of s from the options; sought: of each unknown of
 * model and target.
 * Fails: DARC_USAGE where they are none, or what is not sought has no number.
 */
DARC_CHECKED darc_status darc_band_set(darc_fulfilled *s, const darc_options *o,
                                       darc_model *const model[2],
                                       bool *const sought[2], darc_err *err);

/* Set verdict and reason by the nearest behaviour; with a tolerance of 0 they
 * stay those of the equations. */
void darc_band_judge(darc_fulfilled *s, const darc_nearest *n);
