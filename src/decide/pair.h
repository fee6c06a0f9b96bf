/* pair.h - two recordings held against each other. */
#pragma once

#include "decide/judgement.h"
#include "decide/reading.h"

/* What is known of two recordings.  Nothing is owned. */
typedef struct {
    const darc_question *x;
    const darc_estimates *a, *b; /* the same references */
    const darc_bindings *bind;   /* of one recording, imposed on estimates that
                                    obey them */
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
DARC_STATUS darc_pair_test(darc_decision *d, bool *untested, const darc_pair *p,
                           const bool *changed, darc_err *err);

/* The same for a model without a free coefficient, which makes one behaviour:
 * both recordings come of it where it holds in both, and not where it holds in
 * one. */
void darc_pair_fixed(darc_decision *d, const darc_pair *p);

/* Set slack[j] to what coefficient j of a may differ by without counting, and
 * slack[coeffs + j] to that of b: the tolerance, and what a structure that does
 * not hold may have moved it by; HUGE_VAL for the origin of a signal. */
void darc_pair_slack(double *slack, const darc_pair *p);

/* Return whether the free constant of equation q, which takes up the origin of
 * a signal, differs for certain: by *d, with standard deviation *sd. */
bool darc_pair_moves_origin(const darc_pair *p, int q, double *d, double *sd);
