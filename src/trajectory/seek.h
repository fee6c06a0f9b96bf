/* seek.h - the parameters that match recordings best, from no start.
 *
 * Parameters are drawn over decades around the sizes that give their terms the
 * size of the signals' rates; each draw is improved by multiple shooting whose
 * nodes begin where outputs were measured.  The best draws are refined in one
 * piece, and levels of noise found in turns with that.
 */
#pragma once

#include "trajectory/level.h"

typedef struct {
    darc_level *level; /* of each output; owned */
    int draws, met;    /* how many were made, and came to the best one */
    bool all;          /* none is left out where that is met again */
    double taken;      /* degrees of freedom: rank of the slopes */
    int others;
    darc_match *other; /* what draws came to that matches about as well as the
                          best, all different; of the recordings that they were
                          made on; owned */
} darc_sought;

/* Bring m, whose parameters are the same in all recordings, there; its square
 * is HUGE_VAL where no draw has a trajectory; sd as in
 * darc_level_guess; near (NULL: nobody knows) has values of parameters to begin
 * at, or NAN.
 * Fails: DARC_LIMIT. */
DARC_STATUS darc_seek(darc_sought *s, darc_match *m, const double *sd,
                      const double *near, unsigned long seed, darc_err *err);

/* Find levels of noise and the match in turns, from where m is.
 * Fails: DARC_LIMIT. */
DARC_STATUS darc_seek_levels(darc_sought *s, darc_match *m, darc_err *err);

/* The same, and how noise grows with its signal.
 * Fails: DARC_LIMIT. */
DARC_STATUS darc_seek_growth(darc_sought *s, darc_match *m, darc_err *err);

/* The same, with noise that grows so, by output, or NULL: all of them so; where
 * that is hopeless beside what is as likely as `least` it goes no farther.
 * Fails: DARC_LIMIT. */
DARC_STATUS darc_seek_grown(darc_sought *s, darc_match *m, const double *grows,
                            double all, double least, darc_err *err);

/* Draw again with the weights as they are, on all recordings, and take what is
 * better.
 * Fails: DARC_LIMIT. */
DARC_STATUS darc_seek_draw(darc_sought *s, darc_match *m, unsigned long seed,
                           darc_err *err);

/* Take a match over to the others, and leave it empty, if it is another. */
void darc_seek_keep(darc_sought *s, darc_match *m);
void darc_sought_clear(darc_sought *s);

/* Return -2 log likelihood of the noise of all outputs. */
double darc_sought_surprise(const darc_sought *s, int outputs);

/* Return the rank of the slopes of all recordings. */
double darc_match_rank(darc_match *m);
