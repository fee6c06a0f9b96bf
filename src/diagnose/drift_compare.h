/* drift_compare.h - a campaign from the fits of its recordings. */
#pragma once

#include "decide/bindings.h"
#include "diagnose/drift.h"
#include "diagnose/together.h"

/* How recordings are held against each other whose estimates are those of
 * parameters, not of coefficients of io-equations. */
typedef struct {
    void *user;
    const char *(*name)(void *user, int k); /* of parameter k */
    bool (*vanishing)(void *user, int k);   /* it may be 0 */
    darc_verdict (*structure)(void *user, const darc_estimates *e);
    /* Set the verdict, and p, that b has the parameters of a. */
    void (*judge)(void *user, darc_drift_recording *r, const darc_estimates *a,
                  const darc_estimates *b, double alpha);
    /* Return what n recordings that share parameters leave, over the variance
     * of the noise; set value and sd (HUGE_VAL: not known) of parameter k. */
    double (*together)(void *user, const darc_estimates *const *e, int n, int k,
                       double *value, double *sd);
    /* Set out[k] to what they leave where parameter k alone is another from
     * e[first] on; return whether that is known. */
    bool (*part)(void *user, const darc_estimates *const *e, int n, int first,
                 darc_parted *out);
} darc_drift_parameters;

/* What is known of a campaign; nothing is owned. */
typedef struct {
    const darc_question *x;
    int recordings, reference;
    const darc_estimates *const *fit; /* of each; NULL: damaged or pending */
    char *const *error;               /* of each; NULL: not damaged */
    const darc_status *fault;         /* of each, as darc_drift_recording */
    const darc_bindings *bind;        /* imposed on fits that obey them */
    const darc_drift_parameters *by_parameters; /* NULL: by coefficients */
    int groups;                                 /* as in darc_drift_source */
    const int *group;
    int covariates; /* likewise */
    const double *covariate;
} darc_drift_comparison;

/* Set out to the comparison; fit[reference] is known, and all fits refer to the
 * same coefficients. */
void darc_drift_compare(darc_drift *out, const darc_drift_comparison *c);

/* The same, group by group (drift.h); the baseline of a group may be unknown
 * still. */
void darc_drift_compare_groups(darc_drift *out, const darc_drift_comparison *c);
