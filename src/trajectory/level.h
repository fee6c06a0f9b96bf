/* level.h - the noise of outputs, from what a trajectory leaves.
 *
 * Of each output the variance is level^2 (1 + (grows y / RMS y)^2), y as the
 * trajectory makes it: `grows` of a short list, 0 unless the likelihood asks
 * for more.
 */
#pragma once

#include "trajectory/match.h"

typedef struct {
    double level; /* standard deviation, in the unit of the output */
    double grows;
    bool known;      /* the user knows it */
    bool held;       /* `grows` is not to be chosen */
    double surprise; /* -2 log likelihood, of what is left */
    bool exact;      /* less than any sensor has: the floor */
} darc_level;

/* Weigh samples before there is a trajectory: a tenth of their spread, or what
 * is known: sd of each output, NAN where it is not. */
void darc_level_guess(darc_level *level, darc_match *m, const double *sd);

/* Weigh them by what the trajectory leaves, which has so many degrees of
 * freedom less than samples.  Return the largest relative change of a level. */
double darc_level_take(darc_level *level, darc_match *m, double taken);
