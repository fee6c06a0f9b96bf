/* thresholds.h - the numbers that decide in this room. */
#ifndef DARC_FIT_THRESHOLDS_H
#define DARC_FIT_THRESHOLDS_H

/* Pieces that show how large terms are. */
#define DARC_METRIC_PIECES 8.0

/* Relative, on the diagonal of a metric: rounding. */
#define DARC_METRIC_RIDGE 1e-9

/* Directions of a covariance below this share of the largest, after scaling to
 * a unit diagonal, carry no information of their own. */
#define DARC_RANK 1e-9

/* A candidate whose information, free of the model's own terms, is less than
 * this share of its own, cannot be told from them. */
#define DARC_MISSING_ALIASED 1e-6

/* Pieces on which candidates are tried where a structure fails. */
#define DARC_MISSING_PIECES 8

#endif
