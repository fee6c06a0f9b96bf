/* drift_sequence.h - what enters the course of a campaign: recordings,
 * functions, covariates; and what that tells.
 */
#pragma once

#include "diagnose/drift_compare.h"
#include "diagnose/thresholds.h"
#include "stats/course.h"

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

/* The recordings and functions that enter the course. */
typedef struct {
    const darc_drift_comparison *c;
    const darc_followed *all; /* functions */
    int n, p;
    int *recording;  /* owned */
    int *which;      /* functions; owned */
    int *column;     /* of each: its coefficient; owned with them */
    bool *log;       /* by function; owned */
    double *time;    /* of the recordings; owned, with the arrays below */
    double *x, *sd;  /* n x p: logarithms, or values over a common size; of the
                        recording alone: the reference is common to all */
    double *scale;   /* n x p: dx = d(coefficient) / scale */
    double *ignored; /* by function: change that does not count */
    double error_dof;
    int q; /* covariates that tell something */
    int kept[DARC_COVARIATES];
    double spread[DARC_COVARIATES];
    double *z; /* n x q: of mean 0, over their spread */
    darc_course_data data;
} darc_sequence;

/* Return whether all covariates of recording i are known. */
bool darc_drift_is_told(const darc_drift_comparison *c, int i);

/* Return which coefficient, of all, makes the step between two stretches of c
 * by itself, as well as all that move there, and set *out to its change; -1:
 * none does, or that is not asked.  Where several do it is the likeliest, and
 * *only is not set. */
int darc_sequence_alone(const darc_sequence *s, const darc_course *c, int step,
                        darc_parted *out, bool *only);

void darc_sequence_open(darc_sequence *s, const darc_drift *out,
                        const darc_drift_comparison *c, const darc_followed *f);
void darc_sequence_close(darc_sequence *s);

/* Let the steps of c, found by estimates made linear, be those of the
 * likelihood where there is one (by_parameters, no covariates), and a line one
 * by which both halves differ. */
void darc_sequence_confirm(darc_course *c, const darc_sequence *s);

/* Return whether stretches of c share parameters, and set what one says of
 * function k, as s->x, and its weight. */
bool darc_sequence_share(const darc_sequence *s, const darc_course *c, int k,
                         int stretch, double *x, double *weight);

/* Set adjusted[i] for every recording of which the others tell what covariates
 * have made of it, and the shifts of its changes. */
void darc_sequence_adjust(const darc_sequence *s, darc_drift *out,
                          const darc_course *c, const darc_followed *f,
                          darc_estimates **adjusted);

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
