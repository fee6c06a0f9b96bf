/* pair.h - two recordings held against each other. */
#ifndef DARC_DECIDE_PAIR_H
#define DARC_DECIDE_PAIR_H

#include "decide/bindings.h"
#include "decide/judgement.h"

/* What is known of two recordings.  Nothing is owned. */
typedef struct {
    const darc_question *x;
    const darc_estimates *a, *b; /* the same references */
    bool copies;                 /* both hold the same samples */
    darc_blackbox_struct *g;     /* of equations that are not expanded; NULL:
                                        all are */
    double work; /* products of terms that points of g may take */
} darc_pair;

/* Make a and b refer to the same coefficients; return false where that of one
 * is 0 in the other. */
DARC_CHECKED bool darc_pair_align(darc_estimates *a, darc_estimates *b);

/* Set d to the decision that nothing but `changed` (NULL: nothing) changed;
 * *untested: a change of these can make any pair.  Where more binds the
 * recordings than the relations known, `consistent` takes parameters that make
 * both.
 * Fails: as darc_bindings_init. */
DARC_CHECKED darc_status darc_pair_test(darc_decision *d, bool *untested,
                                        const darc_pair *p, const bool *changed,
                                        darc_err *err);

/* A comparison tests the structure of either recording at this share of alpha:
 * a right pair becomes undecided with probability alpha / 2 besides. */
#define DARC_PAIR_GATE 0.25

#endif
