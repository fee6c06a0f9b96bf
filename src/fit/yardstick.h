/* yardstick.h - how large what no coefficients explain is.
 *
 * In the metric of an equation (metric.h), with what a free constant takes up
 * projected out (P), the defect is
 *   D = |P F W c| / |P F w_l c_l|,
 * l the largest term.  With R = P F V F' P of the noise |P F W c|^2 has the
 * mean |r|^2 + tr R and the variance 2 tr R^2 + 4 r' R r.  D does not depend on
 * the origin of a signal that the constant takes up, and hardly on the test
 * functions.
 */
#pragma once

#include "fit/gls.h"

/* What noise makes of the residual, R its covariance. */
typedef struct {
    double noisy;   /* tr R */
    double spread;  /* tr R^2 */
    double density; /* the largest density of R, r' R r <= |r|^2 density */
} darc_yardstick_noise;

/* An equation in its metric.  Sums are means over test functions. */
typedef struct {
    int first, coeffs; /* of the equation */
    int offset;        /* local index of the coefficient that takes up an
                          origin; -1: none */
    double functions;
    double *gram;            /* coeffs x coeffs: of P F W; owned */
    double *noise;           /* the part that noise makes; owned */
    double residual;         /* |P F W c|^2 */
    darc_yardstick_noise as; /* of the noise as it is modelled */
    double raise;    /* white noise may have so many times the variance, >= 1 */
    double red;      /* as noisy, where noise of unknown colour has all that is
                        seen of it above the band inside the band */
    double supports; /* of test functions, end to end: what is as slow as the
                        band forgets within one */
    double shows;  /* tr V^-1 M: what a misfit of size 1 adds to Q in the mean,
                      were all rows like those that were tried */
    double events; /* as many independent squares make the residual: few
                      where it stands in one stretch */
    double *size;  /* RMS of P F w_j c_j without noise; owned */
    int lead, input;  /* local indices of the largest term, and of the largest
                         with an input (-1: none) */
    double arbitrary; /* share of the leading term that any other columns of
                         these signals, as many as there are free coefficients,
                         would leave: a fit that leaves less says something */
    double excited;   /* what of that is no noise, for certain */
} darc_yardstick;

/* Where the ends of a defect are sought. */
typedef struct {
    double low, defect, high; /* shares of the largest term */
    double high_input;        /* of the largest term with an input, at most */
    double seen; /* the low end, where all noise is as it is modelled */
} darc_defect;

/* Set y[q] for every equation of fit, in the metric of `at`; has_input[j]:
 * coefficient j stands before a measured input. Fails: DARC_DATA where a metric
 * is singular; DARC_LIMIT by the budget. */
DARC_STATUS darc_yardstick_measure(darc_yardstick *y, const darc_gls *fit,
                                   const darc_point *at, const bool *has_input,
                                   const darc_budget *budget, darc_err *err);

void darc_yardstick_clear(darc_yardstick *y);

/* Return rho: the size of the model errors whose covariance is rho^2 M. */
double darc_yardstick_rho(const darc_yardstick *y);

/* Return the defect, its ends one-sided at level alpha: the low one with noise
 * as strong as it may be, and as far as more than a few events show it; the
 * high one with noise as it is modelled.  Where its colour is not sure the low
 * end is what red noise in step with the defect cannot make, and the high end
 * allows for no noise. */
darc_defect darc_yardstick_defect(const darc_yardstick *y, double alpha,
                                  bool sure);

/* Set bias (coeffs values) to what a misfit as large as the residual may have
 * moved each free coefficient by: |r| / |part of x_j that no other makes|. */
void darc_yardstick_bias(double *bias, const darc_yardstick *y,
                         const darc_gls *fit);

/* a -= a_o a_o' / a_oo, n x n; nothing where a_oo = 0. */
void darc_project_out(double *a, int n, int o);

/* Set arbitrary and excited of y, whose gram, noise and lead are known: what as
 * many columns as an equation has free coefficients leave of its leading term,
 * however they are chosen: the part of it outside the strongest directions in
 * which the signals move; and how much of that is certain to be neither noise
 * nor the filter's.  library: products of the columns and their later copies,
 * which this overwrites; past: the share of their power that the filter makes
 * for lack of a past. */
void darc_excitation_measure(darc_yardstick *y, double *library, double past,
                             int free);
