/* long.h - what long recordings tell of noise and inputs.
 *
 * A long recording is parted: its trajectory begins anew in each piece, so that
 * no error lasts (record.h).  The noise of each output is an autoregression,
 * estimated from what the match leaves as by stats/ratio.h; the match that it
 * makes white is a prediction error's, for which the past of inputs may hold
 * the past of noise: a controller's command does.  Inputs go on between samples
 * smoothly, are held, or are held and act a sample later, whichever is
 * likeliest.
 */
#pragma once

#include "stats/ratio.h"
#include "trajectory/linear.h"
#include "trajectory/trajectory.h"

/* Set `to` to the ratio of what recording r leaves, l the match made linear as
 * if noise were white; return whether there is one: it is long, even and whole.
 * Release it with darc_ratio_clear in any case. */
bool darc_long_ratio(darc_ratio *to, const darc_linear_match *l,
                     const darc_trajectory *x, int r);

/* Return an output of which a long recording leaves more than DARC_MEANING of
 * what it moves by, and slowly; -1: none. */
int darc_long_drifts(const darc_trajectory *x);

/* Find the colours of noise and the match in turns; set *surprise to -2 log
 * likelihood.
 * Fails: DARC_LIMIT. */
DARC_STATUS darc_long_colours(double *surprise, darc_trajectory *x,
                              darc_err *err);

/* Find the reading of inputs, the colours of noise, and the match with them,
 * from where x->match is; nothing where no recording is long.
 * Fails: as darc_records_drive; DARC_LIMIT. */
DARC_STATUS darc_long_settle(darc_trajectory *x, darc_record_plan *plan,
                             darc_err *err);
