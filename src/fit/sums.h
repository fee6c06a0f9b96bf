/* sums.h - sums over all pieces of a weak system at one coefficient vector. */
#pragma once

#include "fit/metric.h"
#include "weak/piece.h"

/* What runs of successive test functions say, each function for itself: of the
 * coefficients c + d run i has the -2 log likelihood d' info_i d - 2 score_i' d
 * up to a constant.  Functions that overlap share their noise: so many count as
 * one.  A run tells of nothing outside its supports. */
typedef struct {
    int per;     /* functions of a run; those at the end of a piece are fewer */
    int overlap; /* functions that share noise with one, itself included */
    int runs, coeffs;
    int *first;           /* run of each piece; owned */
    double *info, *score; /* runs x coeffs^2, runs x coeffs; owned */
    double *q;            /* of each at d = 0; owned */
} darc_spans;

/* The covariance of the moments: V(c) of the noise, and rho[q]^2 M_q. */
typedef struct {
    const darc_weak *weak;
    const double *c;
    const darc_metric *metric;
    const double *rho; /* by equation; NULL: 0 */
    darc_spans *runs;  /* set by a pass over all pieces; NULL: none */
    double *white; /* likewise: e and W~, the columns of moments less the noise
                      that e shows, whitened, of all rows; of the sums Q and the
                      shares alone are set then; NULL: not wanted */
    bool plain;    /* W in the place of W~: where e shows more than noise */
    const bool *only; /* the columns that are whitened of it; NULL: all */
    double *drawn;    /* likewise: draws of noise in e, whitened; NULL */
    size_t told;      /* sums are of what functions that reach beyond so many
                         samples say, given the others */
} darc_point;

typedef struct {
    int coeffs, channels;
    size_t size;                 /* of all arrays, in one piece from grad on */
    double q;                    /* e' V^-1 e */
    double *grad, *hess;         /* W~' V^-1 e, W~' V^-1 W~ */
    double *raw_grad, *raw_hess; /* W' V^-1 e, W' V^-1 W */
    double *noise;               /* N: of W~' V^-1 W~ under noise alone */
    double *trace;               /* T: of W' V^-1 W under noise alone */
    double *hac;                 /* covariance of raw_grad */
    double *share;               /* of Q, by channel */
} darc_sums;

/* How thorough a pass is. */
typedef struct {
    int every;      /* piece 0, every, 2*every, ... */
    int draws;      /* how many times noise is simulated; 0: N, T (and, of a
                       linear system, the shares) stay 0 */
    int draw_every; /* on every such piece of these; the sums are scaled */
    bool hac;
} darc_effort;

/* Return the number of lags of HAC covariances over k functions. */
size_t darc_sums_lags(size_t k);

void darc_sums_init(darc_sums *s, const darc_weak *weak);
void darc_sums_clear(darc_sums *s);

/* Replace a lower band of V by its factor, once rho^2 M of the point is added.
 * Fails: DARC_DATA where it is singular. */
DARC_STATUS darc_sums_factorise(double *ab, int band, int rows,
                                const darc_point *at, darc_err *err);

/* Set s at a point.
 * Fails: DARC_DATA for a singular covariance; DARC_LIMIT by the budget. */
DARC_STATUS darc_sums_pass(darc_sums *s, const darc_point *at,
                           const darc_effort *effort, const darc_budget *budget,
                           darc_err *err);

/* Set out (rows x coeffs) to one draw of noise in the moments of the piece
 * that is loaded, as it is modelled, or red where its colour is not known; the
 * noise depends on the piece and the number of the draw alone. */
void darc_draw_noise(double *out, darc_weak_work *work, int draw, bool red);
