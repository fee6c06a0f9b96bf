/* gls.h - coefficients of a weak relation by continuous-updating generalised
 * least squares.
 *
 * Q(c) = e(c)' V(c)^-1 e(c) does not change when c is multiplied by a number;
 * c[reference] = 1 fixes it.  With the estimated noise n = A' V^-1 e taken
 * off the regressors, w~_j = w_j - (dA/dc_j) n, the gradient of Q/2 is
 * w~_j' V^-1 e.  Its covariance is the information I plus the noise-noise
 * term N, so that cov c = I^-1 (I + N) I^-1; N comes from simulated noise of
 * a fixed seed.  Under the relation Q_min is chi-square with functions - free
 * degrees of freedom.
 */
#ifndef DARC_WEAK_GLS_H
#define DARC_WEAK_GLS_H

#include "base/budget.h"
#include "weak/weak.h"

typedef struct {
    int coeffs;       /* in all; those past `model` are held at 0 */
    int model;        /* fitted, the reference among them */
    int reference;    /* c[reference] = 1 */
    double *c;        /* coeffs values; owned */
    size_t functions; /* test functions */
    double q;         /* Q at its minimum */
    double dof;       /* functions - (model - 1) */
    double noise_dof; /* of the noise variance inside Q */
    double p_value;   /* of Q: Fisher's F with dof and noise_dof */
    double ratio;     /* largest noise-noise to signal information */
    bool robust;      /* the relation does not hold: c minimises e' V^-1 e
                         under fixed V, cov follows the residual: HAC, Q/dof and
                         the spread over parts of the recording */
    bool converged;
    double hac_dof;    /* equivalent degrees of freedom of a HAC variance */
    double error_dof;  /* of cov where robust */
    double *info;      /* I, coeffs x coeffs; owned */
    double *noise;     /* N */
    double *cov;       /* of c; rows of reference and held ones are 0 */
    double *score;     /* w~_j' V^-1 e, 0 for the free ones; owned */
    double *score_cov; /* of score, coeffs x coeffs */
    double q_here;     /* Q at c; q unless robust */
    double *size;      /* c_j^2 w_j' V^-1 w_j without its noise part */
} darc_gls;

/* Set fit to the minimum over the first `model` >= 2 coefficients; robust:
 * even if the relation seems to hold, do not trust the noise model for it.
 * Fails: DARC_DATA when the covariance is singular or sums overflow;
 * DARC_LIMIT on a spent budget. */
DARC_CHECKED darc_status darc_gls_fit(darc_gls *fit, const darc_weak *weak,
                                      int model, bool robust,
                                      const darc_budget *budget, darc_err *err);
void darc_gls_clear(darc_gls *fit);

/* Change the chart: c[reference] = 1 and the covariance to match.  Return
 * false, and change nothing, where that coefficient is 0. */
DARC_CHECKED bool darc_gls_refer(darc_gls *fit, int reference);

#endif
