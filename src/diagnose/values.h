/* values.h - values of identifiable functions of the parameters, with their
 * intervals, from the coefficients that were fitted.
 *
 * The coefficients of one recording or several, c with covariance V, are ratios
 * of polynomials g(theta).  Gauss-Newton's iteration makes
 *   Q(theta) = sum (g(theta) - c)' V^-1 (g(theta) - c)
 * least (generalised least squares over all equations and recordings; pinv of
 * J' V^-1 J where parameters cannot be told apart).  An identifiable function f
 * has the same value at all minima, and the variance f' pinv(J' V^-1 J) f'.
 * Where it bends over its interval, the ends are those at which Q has grown by
 * the square of the normal quantile, along the direction that moves f most.
 */
#ifndef DARC_DIAGNOSE_VALUES_H
#define DARC_DIAGNOSE_VALUES_H

#include "fit/estimates.h"
#include "identify/identify.h"

typedef struct {
    double value, sd;
    double low, high; /* of level 1 - alpha; infinite: open */
    bool local;       /* another value explains the recordings as well */
    bool known;       /* else these recordings do not tell it */
} darc_value;

typedef struct {
    int functions;
    darc_value *value; /* parameters that are global or local, by variable of
                          the identification, then its functions; owned */
    double p_value;    /* that one set of parameters makes all coefficients */
    double factor;     /* by which the sds were widened since it does not: 1 and
                          more */
    int vars;          /* parameters of the coefficients */
    int *unknown;      /* of the model, of each; owned */
    double *theta;     /* values that make the coefficients; owned */
    double *information; /* J' V^-1 J at theta, vars x vars; owned */
    int rank;            /* of it */
    double *cov;         /* of the functions, rows of unknown ones 0; owned */
    double *slope;       /* of functions by parameters, rows as cov; owned */
    double *direction;   /* of the first recording's coefficients by parameters;
                            coeffs x vars; owned */
} darc_values;

/* Set v from so many estimates of the question; release it with
 * darc_values_clear in any case.  All of the question's io is held, and
 * expanded.
 * Fails: DARC_DOMAIN, with the reason, where the equations are too long, a
 * recording tells nothing, or no parameters make its coefficients; DARC_LIMIT
 * on a spent budget. */
DARC_CHECKED darc_status darc_values_init(darc_values *v,
                                          const darc_question *x,
                                          const darc_identification_t id,
                                          const darc_estimates *const *e,
                                          int recordings, darc_err *err);
void darc_values_clear(darc_values *v);

#endif
