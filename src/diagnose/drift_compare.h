/* drift_compare.h - a campaign from the fits of its recordings. */
#pragma once

#include "decide/bindings.h"
#include "diagnose/drift.h"

/* What is known of a campaign; nothing is owned. */
typedef struct {
    const darc_question *x;
    int recordings, reference;
    const darc_estimates *const *fit; /* of each; NULL: damaged or pending */
    char *const *error;               /* of each; NULL: not damaged */
    const darc_status *fault;         /* of each, as darc_drift_recording */
    const darc_bindings *bind;        /* imposed on fits that obey them */
    int groups;                       /* as in darc_drift_source */
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
