/* forcing.h - what the equations of a model may lack: a smooth forcing of each,
 * and terms of its signals.
 *
 * A forcing of the rate of one state is that share of the RMS of the rate's
 * largest term (in a recording) times a random function of unit variance, in
 * every recording another: hats on even knots, correlated over a third of the
 * recording.  Its share has the likelihood and the distribution of shrink.h, at
 * the match made linear.  A term is the same in all recordings; it is tested by
 * F.  Both are at alpha over the number of what is tested, half of it each.
 */
#pragma once

#include "stats/shrink.h"
#include "trajectory/trajectory.h"

/* A term c in the rate of a state. */
typedef struct {
    int state;
    int factor[2], power[2]; /* states or inputs (n and more); power 0: none */
    double share, sd; /* of the largest term of the rate, RMS over RMS, without
                         what other values of the parameters would make of it */
    double p_value;
    double value; /* its coefficient */
    double gain;  /* what the sum of squares is less by with it */
} darc_lacking;

typedef struct {
    int equations;       /* that can be forced */
    int *state;          /* of each; owned */
    darc_shrunk *forced; /* of each, size as a share; owned */
    int terms;
    darc_lacking *term; /* by p-value; owned */
    bool vague; /* so is where a state begins, and with it what shares are of */
} darc_forcing;

/* Set f, or leave it empty where nothing can be forced.
 * Fails: DARC_LIMIT. */
DARC_STATUS darc_forcing_init(darc_forcing *f, darc_trajectory *x,
                              darc_err *err);
void darc_forcing_clear(darc_forcing *f);

/* Append "z^2", "x*y", "1". */
void darc_lacking_print(darc_text_t out, const darc_lacking *l,
                        const darc_flow *w);

/* Append what is found of equation k, "forcing of x'': 2 % (0 to 3 %) ...". */
void darc_forcing_print(darc_text_t out, const darc_forcing *f, int k,
                        const darc_flow *w);
