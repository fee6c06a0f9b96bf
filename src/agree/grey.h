/* grey.h - grey relational degree: how alike two series are in shape
 * [Den89], [YLLJ14].
 *
 * With D_i = |r_i - s_i| the degree is the mean of (min D + lambda max D) /
 * (D_i + lambda max D), 1 for equal series.
 * Trap: it looks only at how D varies.  Two series at a constant distance
 * score 1 however far apart they are; `offset` says so.
 */
#ifndef DARC_AGREE_GREY_H
#define DARC_AGREE_GREY_H

#include "darc/status.h"

#include <stdbool.h>
#include <stddef.h>

typedef struct {
    double degree;
    double least, most; /* min D, max D, in the unit of the signal */
    bool parallel;      /* the trap: max D > 0, min D / max D over the limit */
} darc_grey;

/* Return the degree of n > 0 finite samples, lambda > 0. */
darc_grey darc_grey_degree(const double *reference, const double *simulation,
                           size_t n, double lambda);

#endif
