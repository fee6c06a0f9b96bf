/* run.h - one run of a plant over the times of samples.
 *
 * The integrator begins again where a signal jumps.  A run with loose
 * tolerances finds the size of each state before the one that counts.
 */
#pragma once

#include "simulate/plant.h"

typedef struct {
    darc_plant *plant;
    darc_integrator *integrator; /* NULL for a plant without states */
    const double *start, *guess; /* y and y' at t = 0 */
    darc_integrator_method method;
    double rtol, *atol; /* atol[j] of state j */
    double rate;        /* Hz */
    const double *time; /* of the samples, s, from 0 on; NULL: by the rate */
    size_t samples;
    double jump; /* the next one, s */
    const darc_budget *budget;
} darc_run;

/* Called with the values at sample i. */
typedef darc_status darc_run_visit(void *user, size_t i, double t,
                                   const double *y, darc_err *err);

/* Visit all samples in order; stage: what progress is called.
 * Fails: DARC_DOMAIN where the solution does not reach one; DARC_LIMIT; as
 * visit. */
DARC_STATUS darc_run_all(darc_run *r, const char *stage, darc_run_visit *visit,
                         void *user, darc_err *err);

/* Set atol[j] to rtol times the RMS of state j, and the method. */
DARC_STATUS darc_run_sizes(darc_run *r, darc_err *err);
