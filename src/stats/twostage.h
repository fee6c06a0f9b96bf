/* twostage.h - a coefficient tested by instruments [BM02], [LLSW18].
 *
 * y + X b + e = 0 with columns X that noise has spoiled as it has y, and
 * instruments Z, one a column, that share nothing with the noise.  Two-stage
 * least squares takes b = -(Z'X)^-1 Z'y.  All is whitened by an autoregression
 * of what is left, and done again.  The variance of b_j, the sum of products
 * g_k e_k of a series, is the mean of their first W cosine transforms squared:
 * right for any colour of e, and for one that changes.  That shows e at up to
 * W/2 cycles beside those of g: so Z holds no constant and no cosine of less,
 * where red noise has more power than beside.  How many degrees of freedom the
 * variance has follows from g: few, where a few samples carry it.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>

/* Order of the autoregression that whitens moments: splines of degree 5 overlap
 * five others, and noise adds its own memory (chosen). */
#define DARC_TWOSTAGE_ORDER 12

/* White noise beside what is left, share of its mean square, when that filter
 * is made: noise that vanishes above some frequency (low-pass at .05 of
 * Nyquist) is not whitened there by more than a factor of 30. */
#define DARC_TWOSTAGE_FLOOR 1e-3

/* Cosine transforms of n products that make their long-run variance: WAVES
 * n^(2/3) [LLSW18], and at most so many. */
#define DARC_TWOSTAGE_WAVES 0.4
#define DARC_TWOSTAGE_WAVES_MOST 32

/* Least F statistic of the weakest direction of the terms on the instruments:
 * pendulum, tanks and two masses at 20 to 40 keep the level of 1 %. */
#define DARC_TWOSTAGE_STRENGTH 20

/* Share of an instrument that is no slow cosine, at least: less is errors of
 * rounding. */
#define DARC_TWOSTAGE_OWN 1e-6

typedef struct {
    size_t n;  /* rows, in the order of time */
    int terms; /* columns, none a constant; the last is tested */
    const double *y, *x, *z;
    const bool *torn; /* rows whose instruments are worth nothing */
} darc_twostage_task;

typedef struct {
    double value, sd; /* of the last coefficient */
    double t;         /* one over the other */
    double p_value;
} darc_twostage;

/* Test whether the last coefficient is 0: by its own value, or where the
 * instruments show too little of its column by what this has in common with
 * what the others leave.  Return false where they show too little of the
 * others. */
bool darc_twostage_test(darc_twostage *out, const darc_twostage_task *t);
