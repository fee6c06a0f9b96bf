/* drift_course.h - steps and trends of a campaign that has been compared. */
#pragma once

#include "diagnose/drift_compare.h"

/* A function that is followed. */
typedef struct {
    int q, k, j;    /* equation of the question; its coefficient there, and
                       among those of all */
    bool vanishing; /* it may be 0 */
    double factor;  /* by which the coefficient exceeds the function */
    double size;    /* of the coefficient at which its term would be the
                       largest, if that is known, else of the coefficient; as
                       all recordings have it */
} darc_followed;

/* Set the points and trends of out, whose recordings are compared function by
 * function.  The places of steps are those of all functions together; a
 * function is listed where it moved by more than does not count, at level
 * alpha over the functions, or moved most surely.  Its sizes are those between
 * the weighted means, or lines, of the stretches on both sides.  With
 * covariates also its slopes and doubts, and adjusted[i], to be released by
 * darc_drift_unadjust: what recording i says at the covariates of the
 * reference, as the others tell; it stays NULL where they do not. */
void darc_drift_date(darc_drift *out, const darc_drift_comparison *c,
                     const darc_followed *f, darc_estimates **adjusted);
void darc_drift_unadjust(darc_estimates *adjusted);
