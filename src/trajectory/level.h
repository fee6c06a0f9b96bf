/* level.h - the noise of outputs, from what a trajectory leaves.
 *
 * Of each output the variance is level^2 (1 + (grows y / RMS y)^2), y as the
 * trajectory makes it: `grows` of a short list, 0 unless the likelihood asks
 * for more.  The level is the same in all recordings, or goes with the RMS of
 * each, or is one of each, likewise.
 */
#pragma once

#include "trajectory/match.h"

typedef enum {
    DARC_LEVEL_SAME,
    DARC_LEVEL_SHARES, /* of the RMS of the recording */
    DARC_LEVEL_APART   /* one of each */
} darc_level_runs;

typedef struct {
    double level; /* standard deviation, in the unit of the output: that of all
                     recordings, or what each one's is a multiple of */
    darc_level_runs runs, least, most; /* how it goes, and may go */
    double grows;
    bool known;      /* the user knows it */
    bool held;       /* `grows` is not to be chosen */
    double surprise; /* -2 log likelihood of what is left, restricted to what
                        unknowns leave; of all outputs, their sum */
    bool exact;      /* less than any sensor has: the floor */
} darc_level;

/* Return the mean of y^2 of output j, less the square of the mean where
 * `spread`; 0 where it has no samples. */
double darc_level_power(const darc_match *m, int j, bool spread);

/* Weigh samples before there is a trajectory: a tenth of their spread, or what
 * is known: sd of each output, NAN where it is not. */
void darc_level_guess(darc_level *level, darc_match *m, const double *sd);

/* Weigh them by what the trajectory leaves; set *taken to the degrees of
 * freedom that its unknowns have.  Return the largest relative change of a
 * level. */
double darc_level_take(darc_level *level, darc_match *m, double *taken);
