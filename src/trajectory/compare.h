/* compare.h - whether recordings have the same parameters.
 *
 * One set of parameters for all, but for those that may differ, against one for
 * each recording: what the sum of squares gains is F, with as many degrees of
 * freedom as ranks differ by, weighed by the noise that the latter leaves.
 */
#pragma once

#include "fit/estimates.h"
#include "trajectory/linear.h"
#include "trajectory/trajectory.h"

/* A parameter in one recording, against the mean of all. */
typedef struct {
    int param, run;
    bool known;
    double value, sd;
    double change, change_sd; /* relative to the mean (two recordings: to the
                                 first) */
    double detectable; /* the least change of it alone that F would find */
} darc_differing;

typedef struct {
    double statistic, p_value;
    int dof;
    double error_dof;
    bool settled;
    darc_differing *differing; /* of parameter k in recording r: r * params + k;
                                  owned */
    darc_match apart;          /* each recording by itself */
    double moves, moves_most;  /* what changes move an equation by, and may, as
  shares; HUGE_VAL: not known */
    char *instead; /* a term that all lack and that explains as much, NULL:
                      none; owned */
} darc_comparing;

/* Set c; the match of x becomes the one where parameters k with may[k] (NULL:
 * none) differ.
 * Fails: DARC_DOMAIN where nothing is left to judge by; DARC_LIMIT. */
DARC_STATUS darc_comparing_init(darc_comparing *c, darc_trajectory *x,
                                const bool *may, darc_err *err);

/* The same where none may differ, from the match of all alone, by the likeliest
 * noise: whether it is worth asking.
 * Fails: likewise. */
DARC_STATUS darc_comparing_glance(darc_comparing *c, darc_trajectory *x,
                                  darc_err *err);
void darc_comparing_clear(darc_comparing *c);

/* Some recordings, and what all of them, each by itself, were compared by. */
typedef struct {
    const darc_comparing *all;
    const int *which;
    int count;
} darc_comparing_some;

/* Let x be of some of its recordings, and c what these say of themselves, and
 * where there are more than one, of each other: at the noise that all leave;
 * *whole keeps the others for darc_comparing_join, which is called in any case.
 * Fails: DARC_LIMIT. */
DARC_STATUS darc_comparing_part(darc_comparing *c, darc_trajectory *x,
                                darc_trajectory *whole,
                                const darc_comparing_some *some, darc_err *err);
void darc_comparing_join(darc_trajectory *x, darc_trajectory *whole);

/* Set c to what values of parameters, and their covariances, say of each other
 * (Wald's test); values that are not known are NAN. */
void darc_comparing_estimates(darc_comparing *c, const darc_trajectory *x,
                              const darc_estimates *a, const darc_estimates *b);

/* Set p, statistic and degrees of freedom of another set that may differ, with
 * c->apart and its weights as they are. */
DARC_STATUS darc_comparing_ask(darc_comparing *c, darc_trajectory *x,
                               const bool *may, darc_err *err);

/* Whether recording r differs from the mean of all for certain. */
bool darc_comparing_differs(const darc_comparing *c, const darc_trajectory *x,
                            int r);

/* Set c->moves and c->moves_most, from l, the match apart made linear: RMS over
 * that of the largest term, or of the output; most: in the joint region. */
void darc_effect_take(darc_comparing *c, darc_trajectory *x,
                      const darc_linear_match *l, const bool *may);
