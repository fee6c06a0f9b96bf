/* estimates.h - what one recording says of the coefficients of the equations:
 * all that comparisons need, and all that is kept of a recording.
 */
#pragma once

#include "fit/fit.h"

/* What is known of an equation. */
typedef struct {
    int first, coeffs; /* of it */
    int reference;     /* its coefficient is 1 */
    int offset;        /* the coefficient that takes up an origin; -1: none */
    bool origin;       /* that of a signal: it tells nothing of parameters */
    double size;       /* RMS of the largest term in the metric */
    double *gram;      /* coeffs x coeffs: second moments in the metric, what an
                          offset takes up projected out; owned */
    double *share;     /* of the largest term that term j is; owned */
    darc_defect defect;
    double arbitrary; /* as in yardstick.h; HUGE_VAL: there is no input */
    double excited;   /* likewise */
} darc_estimates_equation;

typedef struct darc_estimates {
    int equations, coeffs;
    darc_estimates_equation *eq; /* owned */
    double *c, *cov; /* values, coeffs x coeffs; 0 rows of what is fixed;
                        owned */
    double *bare, *bare_cov; /* the same before relations were imposed; NULL:
                                none are; owned */
    bool *free;              /* by coefficient; owned */
    double *bias;            /* what the misfit may have moved a coefficient by;
                                owned */
    bool misfit;
    bool coloured;    /* noise of any colour may have entered */
    bool simple;      /* any columns of the signals would fit as well */
    bool coarse;      /* sampling may have made what is left */
    double error_dof; /* of cov; HUGE_VAL: known */
    double ratio;     /* noise-noise to signal information */
    double p_value;   /* of the structure */
} darc_estimates;

/* Set e to what the fit says, at level alpha, ratios referring to
 * darc_ratio_reference where that coefficient is not 0. */
void darc_estimates_init(darc_estimates *e, darc_fit *f, const darc_question *x,
                         double alpha);
void darc_estimates_clear(darc_estimates *e);

/* Make coefficient j of equation q the reference of e.  Return false where it
 * is 0. */
DARC_CHECKED bool darc_estimates_refer(darc_estimates *e, int q, int j);

/* Return the share of the leading term by which a change d (coeffs values of
 * all equations) moves equation q. */
double darc_estimates_effect(const darc_estimates *e, int q, const double *d);

/* Return the largest effect on equation q of changes d + u, u' V^-1 u <= r2 (V
 * coeffs x coeffs, rows of fixed coefficients 0): an upper end of the joint
 * confidence region. */
double darc_estimates_most_effect(const darc_estimates *e, int q,
                                  const double *d, const double *v, double r2);

/* Return the degrees of freedom of the sum of both covariances [Sat46]: the
 * relative variance of a sum of two variances, over free coefficients. */
double darc_estimates_error_dof(const darc_estimates *a,
                                const darc_estimates *b);
