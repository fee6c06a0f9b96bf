/* drift_trajectory.h - a campaign of short recordings, by their trajectories:
 * the parameters of each, and likelihood ratios of pairs, take the place of
 * coefficients in drift.h.
 */
#pragma once

#include "diagnose/drift.h"
#include "trajectory/trajectory.h"

/* Set out to the campaign of the recordings of `source` (which loads and keeps
 * nothing here), q->table[i] being that of recording i, NULL where it is
 * damaged for the reason error[i].  Noise is that of all recordings together.
 * Fails: DARC_DATA when the reference is damaged, DARC_DOMAIN where it tells no
 * parameter; as darc_trajectory_init; DARC_LIMIT. */
DARC_STATUS darc_drift_trajectory(darc_drift *out,
                                  const darc_trajectory_question *q,
                                  const darc_drift_source *source,
                                  char *const *error, darc_err *err);
