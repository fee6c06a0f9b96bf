/* gls.h - the coefficients of all io-equations by generalised least squares.
 *
 * e(c) holds the moments of all equations; V(c) = A S A' their covariance.
 * Q(c) = e' V^-1 e does not change when the coefficients of an equation are
 * multiplied by a number; c[reference[q]] = 1 fixes it.
 *
 * Continuous updating: with the estimated noise n = A' V^-1 e taken off the
 * regressors, w~_j = w_j - (dA/dc_j) n, the gradient of Q/2 is w~_j' V^-1 e.
 * Its covariance is the information I plus the noise-noise term N, so that
 * cov c = I^-1 (I + N) I^-1; N comes from simulated noise of a fixed seed.
 * Under the equations Q is chi-square with rows - free degrees of freedom.
 *
 * Misfit: where Q is larger the equations do not hold, and trading residual
 * for noise means nothing.  rho[q]^2 M_q (metric.h) is added to V, which is
 * that of the last c in each of up to 20 passes; the covariance of c follows
 * the residual (HAC) and is no less than what V makes it.
 */
#pragma once

#include "fit/sums.h"

typedef struct {
    int coeffs, equations;
    int *first;       /* as in the system; equations + 1; owned */
    bool *free;       /* by coefficient; owned */
    int *reference;   /* of equation q; owned */
    double *c;        /* coeffs values; owned */
    size_t functions; /* of an equation, that are not told */
    double q;         /* at its minimum, rho^2 M inside V under a misfit */
    double dof;       /* rows - free coefficients */
    double noise_dof; /* of the noise variance inside Q */
    double p_value;   /* of Q: Fisher's F with dof and noise_dof */
    double ratio;     /* largest noise-noise to signal information */
    bool misfit;
    bool converged;
    double gain;       /* what the last step would have taken off Q, to first
                          order; 0: under a misfit */
    double error_dof;  /* of cov: HUGE_VAL, or that of HAC estimates */
    double *share;     /* of Q, by channel of noise; owned */
    double *info;      /* I, coeffs x coeffs; owned */
    double *noise;     /* N of noise alone, which it takes off; coeffs x coeffs;
                          owned */
    double *cov;       /* of c; rows of references and held ones are 0 */
    double *score;     /* w~_j' V^-1 e, 0 for the free ones; owned */
    double *score_cov; /* of score, coeffs x coeffs */
} darc_gls;

/* What to fit. */
typedef struct {
    const darc_weak *weak;
    const int *model;    /* equation q: so many of its coefficients are its own,
                            at least 1; those behind are held at 0 */
    const bool *settled; /* equation q: its own are all 1, none is free */
    const darc_metric *metric; /* of a misfit; NULL: none */
    const double *rho;         /* NULL: the weights are those of noise alone */
    const darc_gls *start; /* another fit of the same equations; NULL: none */
    bool stay;   /* at the coefficients of start: the score there is wanted */
    size_t told; /* as in darc_point */
    bool quiet;  /* noise is not simulated: N is 0, and inside I */
    const darc_budget *budget;
} darc_gls_task;

/* Set fit to the minimum.
 * Fails: DARC_DATA when the covariance is singular or sums overflow;
 * DARC_LIMIT on a spent budget. */
DARC_STATUS darc_gls_fit(darc_gls *fit, const darc_gls_task *task,
                         darc_err *err);
void darc_gls_clear(darc_gls *fit);
