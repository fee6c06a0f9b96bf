/* thresholds.h - the numbers that decide in this room. */
#ifndef DARC_FIT_THRESHOLDS_H
#define DARC_FIT_THRESHOLDS_H

/* A signal that varies by less than this share of its value does not move:
 * rounding. */
#define DARC_STILL 1e-12

/* Samples along which an error of a derived signal stays the same, at most:
 * what is longer looks the same to test functions, which are shorter. */
#define DARC_OWN_TAPS 512

/* Where noise explains what is left, test functions reach up to so many times
 * the frequency below which signals have 99 % of their power: harmonics that
 * stand above the noise tell of the coefficients (van der Pol, 20 samples a
 * period, 1 % noise: spread 1.01 of the Cramer-Rao bound, 3.0 at 1).  Where
 * more is left it is the bulk of the power that counts. */
#define DARC_FIT_RICH 3.0

/* Such functions are used up to so many of an equation: the spread matters
 * where data are few. */
#define DARC_FIT_RICH_FUNCTIONS 30000

/* A structure that is rejected at this share of alpha already needs no more of
 * them. */
#define DARC_FIT_SURE 1e-3

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

/* What noise makes of that information, as a share of it, at most: above,
 * candidates are not known well enough for tests to hold their level. */
#define DARC_MISSING_NOISE 0.2

/* Noise of an estimated derivative, over its RMS, above which products and
 * signs of it are no candidates.  Without a limit y'^3 and sign(y') refuse a
 * right model of 600 samples in 30 of 60 recordings at 10 % noise, in 59 at
 * 20 %; with this one in none. */
#define DARC_MISSING_CLEAR 0.1

/* Pieces on which candidates are tried where a structure fails. */
#define DARC_MISSING_PIECES 8

#endif
