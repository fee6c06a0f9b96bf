/* weights.h - weights of several outputs or features from their correlation
 * over simulation runs, and the overall consistency [YLLJ14, (16)-(23)].
 *
 * With r_ij the
 * correlation of columns i and j, R_i = (sum_j r_ij^2 - 1) / (n - 1),
 * a_i = max R / R_i, the weights are w_i = a_i / sum a: an output that the
 * others also tell about counts less.  C = sum w_i mean(z_i).
 * (The weights that [YLLJ14] prints for its Table I, .1523 .1110 .2126
 * .5241, and C = .7988, do not follow from that table; its own formulas give
 * .32978 .18567 .18587 .29867 and C = .85623.)
 */
#ifndef DARC_AGREE_WEIGHTS_H
#define DARC_AGREE_WEIGHTS_H

#include "darc/status.h"

#include <stdbool.h>
#include <stddef.h>

/* The consistencies: z[k * n + i] of output i, called name[i], in run k. */
typedef struct {
    const double *z;
    size_t runs, n; /* > 0 */
    const char *const *name;
} darc_scores;

typedef struct {
    double *weight, *mean; /* n values each; owned */
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
DARC_CHECKED darc_status darc_weights_init(darc_weights *w,
                                           const darc_scores *s, darc_err *err);
void darc_weights_clear(darc_weights *w);

#endif
