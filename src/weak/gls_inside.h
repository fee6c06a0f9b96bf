/* gls_inside.h - sums over all pieces at one coefficient vector. */
#ifndef DARC_WEAK_GLS_INSIDE_H
#define DARC_WEAK_GLS_INSIDE_H

#include "weak/gls.h"
#include "weak/weak_inside.h"

/* Parts of a recording over which the spread of coefficients is taken. */
#define DARC_GLS_BLOCKS 8

typedef struct {
    int coeffs, channels;
    double q;
    double *grad, *hess;         /* W~' V^-1 e, W~' V^-1 W~ */
    double *raw_grad, *raw_hess; /* W' V^-1 e, W' V^-1 W */
    double *noise;               /* N: of W~' V^-1 W~ under noise alone */
    double *trace;               /* T: of W' V^-1 W under noise alone */
    double *raw_hac;             /* covariance of raw_grad */
    double *share;               /* of Q, by channel */
    double *block;               /* W' V^-1 e of each block of functions */
    double block_functions[DARC_GLS_BLOCKS];
} darc_gls_sums;

/* What a pass computes besides q, gradients and Hessians; or draws alone, and
 * leaves all else as it is. */
enum { DARC_GLS_DRAWS = 1, DARC_GLS_HAC = 2, DARC_GLS_DRAWS_ALONE = 4 };

/* How thorough a pass is. */
typedef struct {
    int flags;
    int every;      /* piece 0, every, 2*every, ... */
    int draws;      /* how many times noise is simulated */
    int draw_every; /* on every such piece of these; the sums are scaled */
} darc_gls_effort;

/* Return the number of lags of HAC covariances over k functions. */
size_t darc_gls_lags(size_t k);

void darc_gls_sums_init(darc_gls_sums *s, const darc_weak *weak);
void darc_gls_sums_clear(darc_gls_sums *s);

/* Set s at c.
 * Fails: DARC_DATA for a singular covariance; DARC_LIMIT by the budget. */
DARC_CHECKED darc_status darc_gls_pass(darc_gls_sums *s, const darc_weak *weak,
                                       const double *c,
                                       const darc_gls_effort *effort,
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
} darc_gls_buffers;

/* a = L^-1 a (trans 'T': L^-T a) for r columns. */
void darc_gls_whiten(const darc_weak_work *work, const darc_gls_buffers *b,
                     double *a, int r, char trans);

/* Set out to sum_j c_j column j of w. */
void darc_gls_combine(const darc_weak_work *work, double *out, const double *w,
                      const double *c);

/* h += a' a, a of k rows. */
void darc_gls_gram(double *h, const double *a, size_t k, int coeffs);

/* Add `weight` times the mean of so many draws to the noise-only sums N and T;
 * the noise depends on the piece alone. */
void darc_gls_draw(darc_gls_sums *s, darc_weak_work *work,
                   const darc_gls_buffers *b, const double *c, int draws,
                   double weight);

/* Solve the system of the rows and columns listed in `index` (n of them) of
 * the symmetric m x m matrix a for right-hand sides b (n x r, by columns), in
 * place, scaled to a unit diagonal; false when a is not positive definite. */
bool darc_gls_solve(const double *a, int m, const int *index, int n, double *b,
                    int r);

#endif
