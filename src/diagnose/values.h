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
 *
 * What a plan would find follows from these.  A change d of the parameters
 * moves the coefficients of two recordings apart by J d.  The test that they
 * are equal has as many degrees of freedom as J has rank, and the noncentrality
 * d' J' (V_a + V_b)^-1 J d.  For a function f that changes alone that is
 * amount^2 / v, v = 1 / (C^-1)_ff, C the covariance of the differences of all
 * functions.  What a change of parameter q cannot explain of one of p is d^2
 * (m_pp - m_pq^2 / m_qq) / 2, m = J' V^-1 J, with one degree of freedom less.
 */
#pragma once

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
    double *information; /* J' V^-1 J at theta, vars x vars */
    int rank;            /* of it */
    double *cov;         /* of the functions, rows of unknown ones 0 */
    double *slope;       /* of functions by parameters, rows as cov; owned */
    double *direction;   /* of the first recording's coefficients by parameters,
                            coeffs x vars; owned, with information and cov */
} darc_values;

/* Set v from so many estimates of the question; release it with
 * darc_values_clear in any case.  All of the question's io is held, and
 * expanded.
 * Fails: DARC_DOMAIN, with the reason, where the equations are too long, a
 * recording tells nothing, or no parameters make its coefficients; DARC_LIMIT
 * on a spent budget. */
DARC_STATUS darc_values_init(darc_values *v, const darc_question *x,
                             const darc_identification_t id,
                             const darc_estimates *const *e, int recordings,
                             darc_err *err);

/* The same of one recording, on the branch nearest to the values `near` of
 * another: where parameters are local, finitely many solutions make the
 * coefficients, and two recordings are compared on one and the same. */
DARC_STATUS darc_values_init_beside(darc_values *v, const darc_question *x,
                                    const darc_identification_t id,
                                    const darc_estimates *e,
                                    const darc_values *near, darc_err *err);
void darc_values_clear(darc_values *v);

/* Set least[k] to the least change of function k alone, as a fraction of the
 * value in a, that is found with probability DARC_POWER between the recordings
 * of a and b.  A function that depends on those before it cannot change alone:
 * of it, whatever else changes.  Infinite where one of them knows it not. */
void darc_foresee_changes(double *least, const darc_values *a,
                          const darc_values *b, double alpha);

/* Return the least change of parameter p, as a fraction, that between two
 * recordings like that of v is told from any change of q alone; infinite where
 * none is.  p and q are variables of v. */
double darc_foresee_apart(const darc_values *v, int p, int q, double alpha);
