/* drift_compare.h - a campaign from the fits of its recordings. */
#ifndef DARC_DIAGNOSE_DRIFT_COMPARE_H
#define DARC_DIAGNOSE_DRIFT_COMPARE_H

#include "diagnose/drift.h"

/* The campaign of one equation; nothing is owned. */
typedef struct {
    const darc_model *model;
    const darc_ioeqs_struct *io;
    int e;
    int recordings, reference;
    const darc_drift_fit *const *fit; /* of each; NULL: damaged or pending */
    char *const *error;               /* of each; NULL: not damaged */
    double alpha, tolerance;          /* of this equation */
} darc_drift_comparison;

/* Set out to the comparison; fit[reference] is known. */
void darc_drift_compare(darc_drift *out, const darc_drift_comparison *c);

#endif
