/* watch.h - a stream of windows held against a baseline: which parameter has
 * changed, and by how much.
 *
 * A window tells b = M d, of covariance S, of how far the coefficients are from
 * the baseline's: score, information.  The baseline itself is off by an error e
 * of covariance M0^-1 S0 M0^-1.  Of windows together, their sums, the score of
 * a change along g against any error of the baseline is g' u,  u = (1 - P) b,
 * P = M (M0 + M)^-1, cov u = C = (1 - P) S (1 - P)' + P S0 P'. The statistic is
 * the largest (g' u)^2 / g' C g over the directions of single parameters and
 * the last 1, 2, 3, 5, 8, ... windows: a generalised likelihood ratio. After an
 * alarm it begins anew.
 */
#pragma once

#include "base/budget.h"

typedef struct {
    int n, directions;
    double *direction;  /* directions x n; owned, with what follows */
    double *info, *cov; /* M0, S0; n x n */
    int room;           /* windows looked back upon; a power of 2 */
    double *ring;       /* room x (n + 2 n^2): b, M, S of windows; owned */
    long taken;         /* windows since the last alarm */
    double threshold;
} darc_watch;

/* What the last windows show. */
typedef struct {
    int direction; /* that shows most */
    double statistic;
    double change, sd; /* along the direction */
    double *each;      /* the statistic of each direction; owned */
    double all;        /* the same of any change of the coefficients: what a
                          direction leaves of it is chi-square, n - 1 */
} darc_watch_finding;

/* Begin with the baseline that w holds, which is w's from now on. */
void darc_watch_init_take(darc_watch *w);
void darc_watch_clear(darc_watch *w);

/* Set the threshold so that windows like one of information and covariance
 * (n x n) give `rate` alarms a window without a change, 0 < rate < 0.1: mean
 * over the errors that the baseline may have.  By simulation; rarer alarms than
 * one in 5000 windows by its logarithm, which is a line there.
 * Fails: DARC_DATA where a matrix is singular; DARC_LIMIT. */
DARC_CHECKED darc_status darc_watch_set(darc_watch *w, const double *info,
                                        const double *cov, double rate,
                                        const darc_budget *budget,
                                        darc_err *err);

/* Take a window.  Set f, whose `each` has room for the directions; return
 * whether it is an alarm. */
bool darc_watch_take(darc_watch_finding *f, darc_watch *w, const double *b,
                     const double *info, const double *cov);

/* Set f, but for the statistic, to what the directions explain of d, how far
 * coefficients are from the baseline's, of covariance cov (n x n). */
void darc_watch_explain(darc_watch_finding *f, const darc_watch *w,
                        const double *d, const double *cov);
