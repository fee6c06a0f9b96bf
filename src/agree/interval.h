/* interval.h - confidence intervals of the difference of replicated runs
 * [Law15, 12.2], [Sar13].
 *
 * One value a run goes in: a feature, a mean, a final value.  The samples of
 * one run follow each other and are no replicates: an interval from them
 * would be far too narrow, so fewer than two runs are refused.
 * The interval of mean(simulation) - mean(reference) tells whether there is
 * a difference (zero outside), `within` whether it matters: the whole
 * interval lies inside the tolerance.
 */
#ifndef DARC_AGREE_INTERVAL_H
#define DARC_AGREE_INTERVAL_H

#include "darc/status.h"

#include <stdbool.h>
#include <stddef.h>

typedef struct {
    const char *method;           /* "paired-t" or "Welch"; static */
    double reference, simulation; /* means */
    double difference;            /* simulation - reference */
    double low, high;             /* of the difference */
    double dof, level;
    double tolerance; /* practical, in the unit of the value; 0: none */
    bool zero_inside;
    bool within; /* -tolerance <= low, high <= tolerance */
} darc_interval;

/* One value of each run. */
typedef struct {
    const double *value;
    size_t n;
} darc_runs;

/* Set out from pairs: run k of both under the same conditions.
 * Fails: DARC_DATA for n < 2 or a value that is not finite. */
DARC_CHECKED darc_status darc_interval_paired(darc_interval *out,
                                              darc_runs reference,
                                              darc_runs simulation,
                                              double level, double tolerance,
                                              darc_err *err);

/* Set out from independent runs, not necessarily of equal number or variance
 * (Welch, degrees of freedom of Satterthwaite).
 * Fails: DARC_DATA as above. */
DARC_CHECKED darc_status darc_interval_welch(darc_interval *out,
                                             darc_runs reference,
                                             darc_runs simulation, double level,
                                             double tolerance, darc_err *err);

#endif
