/* runs.h - what several runs tell: confidence intervals of the difference of
 * replicated ones [Law15, 12.2], [Sar13], and weights of outputs or features
 * from their correlation over simulation runs [YLLJ14, (16)-(23)].
 */
#pragma once

#include "base/status.h"

#include <stdbool.h>
#include <stddef.h>

/* One value a run goes in: a feature, a mean, a final value.  The samples of
 * one run follow each other and are no replicates: an interval from them
 * would be far too narrow, so fewer than two runs are refused.
 * The interval of mean(simulation) - mean(reference) tells whether there is
 * a difference (zero outside), `within` whether it matters: the whole
 * interval lies inside the tolerance. */
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
DARC_STATUS darc_interval_paired(darc_interval *out, darc_runs reference,
                                 darc_runs simulation, double level,
                                 double tolerance, darc_err *err);

/* Set out from independent runs, not necessarily of equal number or variance
 * (Welch, degrees of freedom of Satterthwaite).
 * Fails: DARC_DATA as above. */
DARC_STATUS darc_interval_welch(darc_interval *out, darc_runs reference,
                                darc_runs simulation, double level,
                                double tolerance, darc_err *err);

/* With r_ij the correlation of columns i and j, R_i = (sum_j r_ij^2 - 1) /
 * (n - 1), a_i = max R / R_i, the weights are w_i = a_i / sum a: an output that
 * the others also tell about counts less.  C = sum w_i mean(z_i).
 * (The weights that [YLLJ14] prints for its Table I, .1523 .1110 .2126
 * .5241, and C = .7988, do not follow from that table; its own formulas give
 * .32978 .18567 .18587 .29867 and C = .85623.)
 *
 * The consistencies: z[k * n + i] of output i, called name[i], in run k. */
typedef struct {
    const double *z;
    size_t runs, n; /* > 0 */
    const char *const *name;
} darc_scores;

typedef struct {
    double *weight, *mean; /* n values each; owned in one */
    double consistency;    /* C */
    bool equal;            /* weights are equal since correlation says
                              nothing: `note` tells why */
    char note[200];
} darc_weights;

/* Set w from the scores.  With fewer than three runs, or a column that never
 * changes, there is no correlation: the weights are then equal, and `note` says
 * so.
 * Fails: DARC_DOMAIN when a column is not correlated with any other (its
 * weight would be infinite), DARC_DATA for a value that is not finite. */
DARC_STATUS darc_weights_init(darc_weights *w, const darc_scores *s,
                              darc_err *err);
void darc_weights_clear(darc_weights *w);
