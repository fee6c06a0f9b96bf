/* together.h - recordings that share their parameters: what they say of these,
 * and what that leaves.  Answers are kept, and given again.
 */
#pragma once

#include "trajectory/compare.h"

/* What some recordings say. */
typedef struct {
    int count;
    int *which;         /* owned, with the arrays below */
    double square;      /* what is left, over the variance of the noise */
    double *value, *sd; /* by parameter; HUGE_VAL: not known */
} darc_shared;

/* What is left where one parameter alone is another from some recording on,
 * over the variance of the noise; how much it changes there, over what it was.
 */
typedef struct {
    double left, change, sd;
} darc_parted;

typedef struct {
    darc_trajectory *x;        /* not owned */
    const darc_comparing *all; /* of x; not owned */
    int known;
    darc_shared *shared; /* owned */
} darc_together;

/* Set *out, which lasts until the next call, to what `count` recordings say.
 * Fails: DARC_LIMIT. */
DARC_STATUS darc_together_ask(const darc_shared **out, darc_together *t,
                              const int *which, int count, darc_err *err);

/* Set out[k] of every parameter, which is another from recording which[first]
 * on; sd is HUGE_VAL where that is not known.
 * Fails: DARC_LIMIT. */
DARC_STATUS darc_together_part(darc_parted *out, darc_together *t,
                               const int *which, int count, int first,
                               darc_err *err);
void darc_together_clear(darc_together *t);
