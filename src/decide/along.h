/* along.h - the residual of the weak form along time. */
#ifndef DARC_DECIDE_ALONG_H
#define DARC_DECIDE_ALONG_H

#include "darc/report.h"
#include "weak/system.h"

/* The residual of each equation at every test function, and one standard
 * deviation of its noise, in units of the largest term (its RMS over the
 * functions); the time is that of the middle of the function. */
typedef struct {
    int equations;
    darc_residual_series *series;   /* margins are NAN; owned */
    darc_residual_summary *summary; /* owned */
} darc_along;

/* Set a to the residual at the coefficients c; release it with
 * darc_along_clear.  On failure a is empty.
 * Fails: DARC_LIMIT on a spent budget. */
DARC_CHECKED darc_status darc_along_init(darc_along *a, const darc_weak *weak,
                                         const double *c,
                                         const darc_budget *budget,
                                         darc_err *err);
void darc_along_clear(darc_along *a);

#endif
