/* drift_sequence.h - what enters the course of a campaign: recordings,
 * functions, covariates.
 */
#pragma once

#include "diagnose/course.h"
#include "diagnose/drift_course.h"
#include "diagnose/thresholds.h"

/* The recordings and functions that enter the course. */
typedef struct {
    const darc_drift_comparison *c;
    int n, p;
    int *recording;  /* owned */
    int *which;      /* functions; owned */
    double *time;    /* of the recordings; owned */
    double *x, *sd;  /* n x p: logarithms, or values over a common size; of the
                        recording alone: the reference is common to all; owned */
    bool *log;       /* by function; owned */
    double *scale;   /* n x p: dx = d(coefficient) / scale; owned */
    double *ignored; /* by function: change that does not count; owned */
    double error_dof;
    int q; /* covariates that tell something */
    int kept[DARC_COVARIATES];
    double mean[DARC_COVARIATES], spread[DARC_COVARIATES];
    double *z; /* n x q: of mean 0, over their spread; owned */
    darc_course_data data;
} darc_sequence;

/* Return whether all covariates of recording i are known. */
bool darc_drift_is_told(const darc_drift_comparison *c, int i);

void darc_sequence_open(darc_sequence *s, const darc_drift *out,
                        const darc_drift_comparison *c, const darc_followed *f);
void darc_sequence_close(darc_sequence *s);
