/* sums.h - sums over all pieces of a weak system at one coefficient vector. */
#ifndef DARC_FIT_SUMS_H
#define DARC_FIT_SUMS_H

#include "fit/metric.h"

/* The covariance of the moments: V(c) of the noise, and rho[q]^2 M_q. */
typedef struct {
    const darc_weak *weak;
    const double *c;
    const darc_metric *metric; /* NULL: noise alone */
    const double *rho;         /* by equation */
} darc_point;

typedef struct {
    int coeffs, channels;
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

/* Set s at a point.
 * Fails: DARC_DATA for a singular covariance; DARC_LIMIT by the budget. */
DARC_CHECKED darc_status darc_sums_pass(darc_sums *s, const darc_point *at,
                                        const darc_effort *effort,
                                        const darc_budget *budget,
                                        darc_err *err);

/* ---- inside of a pass: one piece ---- */

typedef struct {
    double *e;      /* whitened residual L^-1 e */
    double *x;      /* V^-1 e */
    double *raw;    /* L^-1 W */
    double *reg;    /* L^-1 W~ */
    double *hold;   /* noise fields, all channels */
    double *factor; /* L, lower band; not owned */
} darc_sums_room;

/* a = L^-1 a (trans 'T': L^-T a) for r columns. */
void darc_sums_whiten(const darc_weak_work *work, const darc_sums_room *b,
                      double *a, int r, char trans);

/* Set out to sum_j c_j column j of w. */
void darc_sums_combine(const darc_weak_work *work, double *out, const double *w,
                       const double *c);

/* h += a' a, a of k rows. */
void darc_sums_gram(double *h, const double *a, size_t k, int coeffs);

/* Add `weight` times the mean of so many draws to the noise-only sums N and T;
 * the noise depends on the piece alone. */
void darc_sums_draw(darc_sums *s, darc_weak_work *work, const darc_sums_room *b,
                    const double *c, const darc_effort *effort, double weight);

/* Set out (rows x coeffs) to one draw of noise in the moments of the piece
 * that is loaded, as strong as it is modelled or as it may be at worst; the
 * noise depends on the piece and the number of the draw alone. */
void darc_sums_simulate(double *out, darc_weak_work *work, int draw,
                        bool worst);

#endif
