/* stats.h - distribution functions: normal, chi-square, Student, Fisher, and
 * the non-central chi-square, to 1e-11 relative.
 *
 * A name ends in _cdf for P(X <= x), in _sf for P(X > x), computed without
 * forming 1 - cdf, in _quantile for the x with cdf(x) = p, and in _isf for
 * the x with sf(x) = q.  Use sf and isf for upper tails: a p-value of 1e-30
 * is exact to its last digits, 1 - cdf would be 0.  Degrees of freedom need
 * not be whole numbers.  Arguments are asserted: dof > 0, ncp >= 0,
 * probabilities within [0, 1].  The cdf and sf of NAN are NAN: compare them so
 * that this does not pass for a large p-value.  All functions are thread-safe.
 * The densities behind the tails are Loader's saddle-point forms [Loa00].
 */
#pragma once

#include "darc/status.h"

/* Regularised incomplete gamma functions of a > 0, x >= 0:
 * P = integral of t^(a-1) exp(-t) over 0 .. x / Gamma(a), Q = 1 - P.
 * Cost O(sqrt(a)) near x = a. */
double darc_stats_gamma_p(double a, double x);
double darc_stats_gamma_q(double a, double x);

/* Regularised incomplete beta function I_x(a, b), a, b > 0, given x and
 * y = 1 - x, each to its full accuracy.  Cost O(sqrt(max(a, b))). */
double darc_stats_beta(double a, double b, double x, double y);

/* x^a exp(-x) / Gamma(a + 1): the Poisson density at a >= 0 (not necessarily
 * whole) for the mean x >= 0, without cancellation. */
double darc_stats_poisson(double a, double x);

/* Return x > 0 with f(x, user) = p, for f >= 0 rising or falling, by
 * bracketing from `start` > 0 and false position in log f; 0 or HUGE_VAL when
 * f does not reach p within the range of double. */
double darc_stats_solve(double (*f)(double x, const void *user),
                        const void *user, double p, int rising, double start);

/* A p-value for people: "p = 0.02", or "p < 1e-12" below that; it is never 0,
 * and further out no tail is known so well. */
#define DARC_LEAST_P 1e-12
typedef struct {
    char text[24];
} darc_p_text;
darc_p_text darc_stats_p_text(double p);

double darc_stats_normal_sf(double z);
/* -inf for p = 0, inf for p = 1; the upper tail is -quantile(q). */
double darc_stats_normal_quantile(double p);

double darc_stats_chi2_cdf(double x, double dof);
double darc_stats_chi2_sf(double x, double dof);
double darc_stats_chi2_quantile(double p, double dof);
double darc_stats_chi2_isf(double q, double dof);

double darc_stats_t_sf(double t, double dof);
/* The upper tail is -quantile(q): t(.995, 9) = 3.2498. */
double darc_stats_t_quantile(double p, double dof);

/* Fisher's F with dof1 degrees of freedom above, dof2 below. */
double darc_stats_f_cdf(double x, double dof1, double dof2);
double darc_stats_f_sf(double x, double dof1, double dof2);
double darc_stats_f_quantile(double p, double dof1, double dof2);
double darc_stats_f_isf(double q, double dof1, double dof2);

/* The sum of dof squares, and one value, in units of a variance that is known
 * from error_dof degrees of freedom: dof times F, and Student's t; where it is
 * known for certain (HUGE_VAL, or 1e6 and more), chi-square and normal. */
double darc_stats_squares_sf(double x, double dof, double error_dof);
double darc_stats_squares_isf(double q, double dof, double error_dof);
double darc_stats_error_sf(double z, double error_dof);
double darc_stats_error_quantile(double p, double error_dof);

/* Non-central chi-square: sum of dof squared unit normals whose means have
 * the sum of squares ncp.  Cost O(sqrt(ncp) + sqrt(x)). */
double darc_stats_nchi2_cdf(double x, double dof, double ncp);
double darc_stats_nchi2_sf(double x, double dof, double ncp);

/* Return the ncp with sf(x, dof, ncp) = q, 0 < q < 1; 0 if the central
 * distribution already has sf(x) >= q.  The two-sided interval of level
 * 1 - alpha of ncp given the statistic x is ncp(x, dof, alpha/2) ..
 * ncp(x, dof, 1 - alpha/2). */
double darc_stats_nchi2_ncp(double x, double dof, double q);

/* Return the smallest ncp that the test of level alpha rejects with probability
 * power, the detectable effect, where the variance is known as in
 * darc_stats_squares_sf; HUGE_VAL: none. */
double darc_stats_detectable_ncp(double dof, double error_dof, double alpha,
                                 double power);

/* Compare the doubles at a and b, for qsort. */
int darc_stats_cmp(const void *a, const void *b);

/* Correct n p-values by Holm [Hol79]: the k-th smallest is multiplied by n - k,
 * kept rising. */
void darc_stats_holm(double **p, int n);
