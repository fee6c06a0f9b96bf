/* thresholds.h - the numbers that decide in this room. */
#ifndef DARC_FIT_THRESHOLDS_H
#define DARC_FIT_THRESHOLDS_H

/* Pieces that show how large terms are. */
#define DARC_METRIC_PIECES 8.0

/* Relative, on the diagonal of a metric: rounding. */
#define DARC_METRIC_RIDGE 1e-9

#endif
