/* profile.h - values of parameters with intervals by profile likelihood, and
 * other values that match as well.
 */
#pragma once

#include "trajectory/trajectory.h"

/* A parameter's value, with the interval by profile likelihood; not known: the
 * recordings do not tell it. */
typedef struct {
    bool known;
    bool local;  /* x->sought.other has another value that matches as well */
    int unknown; /* of the model that was asked about */
    double value, sd, low, high;
    darc_profile_curve curve; /* how much more the sum of squares is, in units
                                 of the level */
} darc_profile;

/* Set out[k] of every free parameter, in order of declaration; x->sought.other
 * become those that match all recordings as well, with values outside the
 * intervals.
 * Fails: DARC_LIMIT. */
DARC_STATUS darc_trajectory_profile(darc_profile *out, darc_trajectory *x,
                                    darc_err *err);
