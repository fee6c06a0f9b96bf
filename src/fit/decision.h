/* decision.h - a decision with its evidence: what a check reports. */
#ifndef DARC_FIT_DECISION_H
#define DARC_FIT_DECISION_H

#include "darc/status.h"

#include <stddef.h>

typedef enum {
    DARC_CONSISTENT,
    DARC_INCONSISTENT,
    DARC_UNDECIDED
} darc_verdict;

typedef struct {
    const char *method; /* "weak" or "pointwise"; static */
    double statistic;   /* NAN where there is none; so below */
    double dof;
    double p_value;
    double alpha;
    double defect, defect_low, defect_high; /* fractions */
    double tolerance;
    double detectable; /* smallest defect found with power 0.9 */
    darc_verdict verdict;
    char reason[512]; /* plain words, without a full stop */
} darc_decision;

/* A residual over the samples used. */
typedef struct {
    double rms, max;     /* unit of the relation */
    double relative_rms; /* RMS(r) / RMS(sum of |terms|) */
    size_t used;         /* samples */
    char unit[128];
} darc_residual_summary;

/* An identifiable function of the parameters as estimated. */
typedef struct {
    char *function;       /* "c/m"; owned */
    double value_a, sd_a; /* recording A */
    double value_b, sd_b; /* recording B; NAN where there is none */
} darc_estimate;

/* Return "consistent", "inconsistent" or "undecided". */
const char *darc_verdict_text(darc_verdict verdict);

/* Return an undecided decision of the weak form, without numbers. */
darc_decision darc_decision_none(double alpha, double tolerance);

/* Set the verdict of d, and its reason as printf does. */
void darc_decision_say(darc_decision *d, darc_verdict verdict,
                       const char *format, ...) DARC_PRINTF(3, 4);

/* Make d undecided for two recordings that hold the same samples: one copy
 * says nothing of what the other does not. */
void darc_decision_refuse_copies(darc_decision *d);

#endif
