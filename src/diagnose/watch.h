/* watch.h - a stream of windows held against a baseline: which parameter has
 * changed, and by how much.
 *
 * A window tells b = M d, of covariance S, of how far the coefficients are from
 * the baseline's: score, information.  The baseline itself is off by an error e
 * of covariance M0^-1 S0 M0^-1.  Of windows together, their sums, the score of
 * a change along g against any error of the baseline is g' u,  u = (1 - P) b,
 * P = M (M0 + M)^-1, cov u = C = (1 - P) S (1 - P)' + P S0 P': it tells how
 * large the change is.
 *
 * Whether there is one: a change x along g since one of the windows makes these
 * so many times as probable, exp(x g'M g/g'S g g'b - x^2 (g'M g)^2/g'S g / 2)
 * of each.  The sum over where it may have begun follows from the one before
 * [Pol87], odds = (1 + odds) times that of the window; their mean
 * over directions, signs and some sizes is the statistic.  After an alarm it
 * begins anew.
 */
#pragma once

#include "base/budget.h"

typedef struct {
    int n, directions;
    double *direction;  /* directions x n; owned, with what follows */
    double *info, *cov; /* M0, S0; n x n */
    int room;           /* windows looked back upon; a power of 2 */
    int blocks;         /* of windows since the last alarm */
    int *windows;       /* of each block, from the first one on; owned */
    double *sum;        /* blocks x (n + 2 n^2): of b, M, S; owned */
    double soon;        /* windows after which the largest change that is looked
                           for is found at best */
    int sizes;          /* of changes that are looked for */
    double *change;     /* directions x sizes; owned, with what follows */
    double *trust;      /* directions x sizes: what the error of the baseline
                           leaves of their logarithms */
    double *odds;       /* directions x sizes x 2: up, down */
    double threshold;   /* of the statistic */
} darc_watch;

enum { DARC_WATCH_SIZES = 4 };

/* What the last windows show. */
typedef struct {
    int direction;     /* that shows most */
    double statistic;  /* logarithm of the mean odds */
    double change, sd; /* along the direction, in the last windows */
    double *each;      /* (g' u)^2 / g' C g of each direction; owned */
    double all;        /* u' C^-1 u: what a direction leaves of it is
                          chi-square, n - 1 */
} darc_watch_finding;

/* Begin with the baseline that w holds, which is w's from now on. */
void darc_watch_init_take(darc_watch *w);
void darc_watch_clear(darc_watch *w);

/* Forget all windows. */
void darc_watch_forget(darc_watch *w);

/* Return how many blocks there may be, and the numbers of one's sums. */
int darc_watch_blocks(const darc_watch *w);
int darc_watch_sum_size(const darc_watch *w);

/* Set sizes and threshold so that windows like one of information and
 * covariance (n x n) give `rate` alarms a window without a change, 0 < rate <
 * 0.1: mean over the errors that the baseline may have.  By simulation; rarer
 * alarms than one in 5000 windows by its logarithm, which is a line there.
 * Fails: DARC_DATA where a matrix is singular; DARC_LIMIT. */
DARC_STATUS darc_watch_set(darc_watch *w, const double *info, const double *cov,
                           double rate, const darc_budget *budget,
                           darc_err *err);

/* Take a window.  Set f, whose `each` has room for the directions; return
 * whether it is an alarm. */
bool darc_watch_take(darc_watch_finding *f, darc_watch *w, const double *b,
                     const double *info, const double *cov);

/* Set f, but for the statistic, to what the directions explain of d, how far
 * coefficients are from the baseline's, of covariance cov (n x n). */
void darc_watch_explain(darc_watch_finding *f, const darc_watch *w,
                        const double *d, const double *cov);
