/* isolate_trajectory.h - which parameters differ between recordings, by their
 * trajectories: the closed testing of isolate.h, of any number of recordings.
 */
#pragma once

#include "diagnose/isolate.h"
#include "trajectory/verdict.h"

/* Set out, whose parameters are unknowns of the model that x was asked about; c
 * is that of x with none that may differ, f of the recordings each by itself.
 * The match of x becomes that of the last set.
 * Fails: DARC_LIMIT. */
DARC_STATUS darc_isolate_trajectory(darc_isolate *out, darc_trajectory *x,
                                    darc_comparing *c, const darc_forcing *f,
                                    darc_err *err);
