/* ratio.h - does a regressor belong into a regression whose errors are
 * autoregressive?  The likelihood ratio, the noise estimated with it and
 * without it.
 *
 * e + X b is left of several equations ("parts"), rows in turn by part.  The
 * errors of each part are an autoregression of an order that BIC chooses, by
 * Yule and Walker with white noise of a share of their power (a spectrum is
 * never trusted to fall further).  Estimated with the regressor, too, they do
 * not take it for noise.
 *
 * No family of noise holds all that there is.  So the statistic is divided by
 * its mean square over circular shifts of the regressor against what the
 * alternative leaves, whose noise has no part in what stands elsewhere: 1 where
 * the autoregression is the noise, and more where it is not.  The p-value is
 * that of an F with as many degrees of freedom as shifts are independent.  Many
 * regressors are shifted with the noise estimated anew, as it was with them.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>

/* Share of the noise's power that is white at least: without it low-pass noise
 * refuses right models (15 of 80; with .05 5 of 80). */
#define DARC_RATIO_FLOOR 0.05

enum {
    DARC_RATIO_ORDER = 16,      /* of the noise, at most */
    DARC_RATIO_LEAST_ORDER = 2, /* and at least */
    DARC_RATIO_PASSES = 3,      /* of noise and coefficients in turn */
    DARC_RATIO_LEAST = 24,      /* rows of a part */
    DARC_RATIO_SHIFTS = 150,    /* at most twice as many */
    DARC_RATIO_NEAR = 16, /* shifts by less than 1 in so many of all rows are
                             none */
    DARC_RATIO_LAGS = 30  /* of their statistics */
};

/* Columns of which others make all but this share are none (chosen). */
#define DARC_RATIO_RANK 1e-7

typedef struct {
    int parts, columns;
    size_t n;        /* rows of a part */
    double *e, *x;   /* parts * n values, each; x orthonormal columns; owned */
    double *we, *wx; /* the same less its noise, columns orthonormal; owned */
    int *order;      /* of the noise of each part; owned */
    double *a;       /* coefficients without a further regressor; owned */
    double *scale;   /* 1 / sd of the innovation of each part; owned */
    double likelihood; /* its logarithm, without a further regressor */
    bool coloured;     /* an order is more than 0 */
} darc_ratio;

typedef struct {
    double value, sd; /* of the coefficient of the regressor */
    double t2;        /* square of its ratio to the standard deviation */
    double left;      /* mean square of what is left with the regressor */
    double inflation; /* mean square over circular shifts, 1 at least */
    double p_value;
} darc_ratio_test;

/* Set r to e and `columns` columns, of parts * n rows in turn by part; return
 * whether there are rows enough.  Release it with darc_ratio_clear in any case.
 */
bool darc_ratio_init(darc_ratio *r, const double *e, const double *x,
                     int columns, int parts, size_t n);
void darc_ratio_clear(darc_ratio *r);

/* Set y (parts * n values, part by part) to the part of x that no column
 * makes, of norm 1; return its norm over that of x. */
double darc_ratio_rest(const darc_ratio *r, double *y, const double *x);

/* Return the square of a score statistic of y, the noise as it is without. */
double darc_ratio_score(const darc_ratio *r, const double *y);

/* Set y to an orthonormal basis of the parts of x[0 .. count - 1] (rows in turn
 * by part) that no column makes, less those of which it and the columns make
 * all but the share `least`; return how many are left. */
int darc_ratio_basis(const darc_ratio *r, double *y, const double *x, int count,
                     double least);

/* Test `count` regressors together, as the last two make them; shifts only
 * where p_value is below alpha without.  t2 is less inflation; value and sd are
 * those of the first. */
void darc_ratio_ask(darc_ratio_test *out, const darc_ratio *r, const double *y,
                    int count, double alpha);

/* Test x (rows in turn by part), a constant or what it makes, by what is left
 * at the lowest frequencies alone (hac.h): a constant has no shifts, and noise
 * that is not white may have more at 0 than anywhere, as a random walk has.
 * value and sd are those of its coefficient. */
void darc_ratio_ask_constant(darc_ratio_test *out, const darc_ratio *r,
                             const double *x);

/* Set y (parts * n values, part by part) to x (rows in turn by part), whitened
 * by the noise as it is without a further regressor. */
void darc_ratio_whiten(const darc_ratio *r, double *y, const double *x);

/* Return the square of the norm of x (rows in turn by part) less its noise. */
double darc_ratio_power(const darc_ratio *r, const double *x);
