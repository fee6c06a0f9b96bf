#include "stats/stats.h"

#include <assert.h>
#include <float.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

static const double sqrt_half = 0.70710678118654752440084436210485;

double darc_stats_normal_sf(double z)
{
    return 0.5 * erfc(z * sqrt_half);
}

/* z > 0 with sf(z) = q < 1/2: the start of [AS64] 26.2.23 (error below
 * 4.5e-4), then Newton steps on log sf, which is nearly quadratic. */
static double normal_upper(double q)
{
    double w = sqrt(-2 * log(q));
    double z = w - (2.515517 + w * (0.802853 + w * 0.010328)) /
                       (1 + w * (1.432788 + w * (0.189269 + w * 0.001308)));
    for (int i = 0; i < 5; i++) {
        double sf = darc_stats_normal_sf(z);
        double pdf = exp(-0.5 * z * z) * 0.39894228040143267793994605993438;
        if (pdf == 0 || sf == 0)
            break;
        /* log1p keeps the difference exact near the end. */
        z += log1p((sf - q) / q) * sf / pdf;
    }
    return z;
}

double darc_stats_normal_quantile(double p)
{
    assert(p >= 0 && p <= 1);
    if (p == 0 || p == 1)
        return p == 0 ? -HUGE_VAL : HUGE_VAL;
    if (p == 0.5)
        return 0;
    return p < 0.5 ? -normal_upper(p) : normal_upper(1 - p);
}

double darc_stats_chi2_cdf(double x, double dof)
{
    assert(dof > 0);
    if (isnan(x))
        return NAN;
    return x <= 0 ? 0 : darc_stats_gamma_p(dof / 2, x / 2);
}

double darc_stats_chi2_sf(double x, double dof)
{
    assert(dof > 0);
    if (isnan(x))
        return NAN;
    return x <= 0 ? 1 : darc_stats_gamma_q(dof / 2, x / 2);
}

/* A distribution: its tails, their parameters, and which of them is asked. */
typedef struct {
    double (*cdf)(double, double, double), (*sf)(double, double, double);
    double first, second;
    double start; /* of the search for a quantile */
    bool upper;
} law;

static double tail_of(double x, const void *user)
{
    const law *of = user;
    return (of->upper ? of->sf : of->cdf)(x, of->first, of->second);
}

/* Return the x with sf(x) = p where upper, with cdf(x) = p elsewhere, by the
 * shorter tail. */
static double invert_law(double p, law of)
{
    assert(p >= 0 && p <= 1);
    if (p == 0 || p == 1)
        return (p == 0) == of.upper ? HUGE_VAL : 0;
    if (p > 0.5) {
        p = 1 - p;
        of.upper = !of.upper;
    }
    return darc_stats_solve(tail_of, &of, p, !of.upper, of.start);
}

/* Of so many degrees of freedom the expansion below has all digits. */
static const double MANY = 1e8;

/* The expansion of Cornish and Fisher [AS64] 26.4.14, whose next term is
 * (z^2 / dof)^(5/2). */
static double expand_chi2(double z, double dof)
{
    double r = sqrt(2 * dof), z2 = z * z;
    return dof + r * z + 2 * (z2 - 1) / 3 + z * (z2 - 7) / (9 * r) -
           (z2 * (6 * z2 + 14) - 32) / (405 * dof);
}

/* The non-central one, its ncp 0. */
static double invert_chi2(double p, double dof, bool upper)
{
    if (dof > MANY && p > 0 && p < 1)
        return expand_chi2((upper ? -1 : 1) * darc_stats_normal_quantile(p),
                           dof);
    return invert_law(p, (law){darc_stats_nchi2_cdf, darc_stats_nchi2_sf, dof,
                               0, dof, upper});
}

double darc_stats_chi2_quantile(double p, double dof)
{
    return invert_chi2(p, dof, false);
}

double darc_stats_chi2_isf(double q, double dof)
{
    return invert_chi2(q, dof, true);
}

double darc_stats_t_sf(double t, double dof)
{
    assert(dof > 0);
    if (isnan(t) || isinf(t))
        return isnan(t) ? NAN : t > 0 ? 0 : 1;
    double r = t * t / dof; /* x = 1 / (1 + r), y = r / (1 + r) */
    double tail = isinf(r) ? 0
                           : 0.5 * darc_stats_beta(dof / 2, 0.5, 1 / (1 + r),
                                                   r / (1 + r));
    return t > 0 ? tail : 1 - tail;
}

static double t_tail(double t, double dof, double none)
{
    (void)none;
    return darc_stats_t_sf(t, dof);
}

double darc_stats_t_quantile(double p, double dof)
{
    assert(dof > 0);
    if (p == 0.5)
        return 0;
    double t =
        invert_law(p < 0.5 ? p : 1 - p, (law){NULL, t_tail, dof, 0, 1, true});
    return p < 0.5 ? -t : t;
}

/* x = dof1 F / (dof1 F + dof2) has the distribution beta(dof1/2, dof2/2). */
double darc_stats_f_cdf(double x, double dof1, double dof2)
{
    assert(dof1 > 0 && dof2 > 0);
    double r = fmax(0, x) * (dof1 / dof2);
    if (isnan(x))
        return NAN;
    return isinf(r)
               ? 1
               : darc_stats_beta(dof1 / 2, dof2 / 2, r / (1 + r), 1 / (1 + r));
}

double darc_stats_f_sf(double x, double dof1, double dof2)
{
    assert(dof1 > 0 && dof2 > 0);
    double r = fmax(0, x) * (dof1 / dof2);
    if (isnan(x))
        return NAN;
    return isinf(r)
               ? 0
               : darc_stats_beta(dof2 / 2, dof1 / 2, 1 / (1 + r), r / (1 + r));
}

double darc_stats_f_quantile(double p, double dof1, double dof2)
{
    return invert_law(
        p, (law){darc_stats_f_cdf, darc_stats_f_sf, dof1, dof2, 1, false});
}

double darc_stats_f_isf(double q, double dof1, double dof2)
{
    return invert_law(
        q, (law){darc_stats_f_cdf, darc_stats_f_sf, dof1, dof2, 1, true});
}

/* So many degrees of freedom know a variance for certain. */
static const double CERTAIN = 1e6;

double darc_stats_squares_sf(double x, double dof, double error_dof)
{
    return error_dof < CERTAIN ? darc_stats_f_sf(x / dof, dof, error_dof)
                               : darc_stats_chi2_sf(x, dof);
}

double darc_stats_squares_isf(double q, double dof, double error_dof)
{
    return error_dof < CERTAIN ? dof * darc_stats_f_isf(q, dof, error_dof)
                               : darc_stats_chi2_isf(q, dof);
}

double darc_stats_error_sf(double z, double error_dof)
{
    return error_dof < CERTAIN ? darc_stats_t_sf(z, error_dof)
                               : darc_stats_normal_sf(z);
}

double darc_stats_error_quantile(double p, double error_dof)
{
    return error_dof < CERTAIN ? darc_stats_t_quantile(p, error_dof)
                               : darc_stats_normal_quantile(p);
}

/* cdf = sum_j Poisson(j; lambda) P(a + j, x), sf the same with Q.  The terms
 * are log-concave in j; summation starts where they are negligible on the
 * side from which the recurrence of P or Q only adds positive terms:
 * P(a - 1, x) = P(a, x) + D(a - 1), Q(a + 1, x) = Q(a, x) + D(a),
 * D(a) = x^a exp(-x) / Gamma(a + 1). */
typedef struct {
    double a, x, lambda; /* dof / 2, x / 2, ncp / 2 */
} mixture;

/* The j >= 0 where Poisson(j; lambda) D(a + j) is largest. */
static double product_peak(const mixture *m)
{
    /* (j + 1) (a + j + 1) = lambda x */
    double r2 = m->lambda * m->x;
    double j = 2 * r2 / (m->a + sqrt(m->a * m->a + 4 * r2)) - 1;
    return j > 0 ? floor(j) : 0;
}

static double term_at(const mixture *m, double j, bool upper)
{
    return darc_stats_poisson(j, m->lambda) *
           (upper ? darc_stats_gamma_q(m->a + j, m->x)
                  : darc_stats_gamma_p(m->a + j, m->x));
}

static double sum_lower(const mixture *m)
{
    double peak = fmin(product_peak(m), floor(m->lambda)), step = 16;
    double top = term_at(m, peak, false);
    while (term_at(m, peak + step, false) > top * 1e-18)
        step *= 2;
    double j = peak + step, sum = 0, p = darc_stats_gamma_p(m->a + j, m->x);
    double w = darc_stats_poisson(j, m->lambda);
    double d = darc_stats_poisson(m->a + j, m->x);
    for (;; j--) {
        double term = w * p;
        sum += term;
        if (j == 0 || (j < peak && term < sum * (DBL_EPSILON / 64)))
            return sum;
        d *= (m->a + j) / m->x; /* D(a + j - 1) */
        p += d;
        w *= j / m->lambda;
    }
}

static double sum_upper(const mixture *m)
{
    double peak = fmax(product_peak(m), floor(m->lambda)), step = 16;
    double top = term_at(m, peak, true);
    while (peak > step && term_at(m, peak - step, true) > top * 1e-18)
        step *= 2;
    double j = fmax(peak - step, 0), sum = 0;
    double q = darc_stats_gamma_q(m->a + j, m->x);
    double w = darc_stats_poisson(j, m->lambda);
    double d = darc_stats_poisson(m->a + j, m->x);
    for (;; j++) {
        double term = w * q;
        sum += term;
        if (j > peak && term <= sum * (DBL_EPSILON / 64))
            return sum;
        q += d; /* Q(a + j + 1) */
        d *= m->x / (m->a + j + 1);
        w *= m->lambda / (j + 1);
    }
}

static double nchi2_tail(double x, double dof, double ncp, bool upper)
{
    assert(dof > 0 && ncp >= 0);
    if (isnan(x))
        return NAN;
    if (x <= 0 || isinf(x))
        return (x <= 0) == upper;
    if (ncp == 0)
        return upper ? darc_stats_chi2_sf(x, dof) : darc_stats_chi2_cdf(x, dof);
    mixture m = {dof / 2, x / 2, ncp / 2};
    bool low = x < dof + ncp;
    double tail = low ? sum_lower(&m) : sum_upper(&m);
    return low == upper ? 1 - tail : tail;
}

double darc_stats_nchi2_cdf(double x, double dof, double ncp)
{
    return nchi2_tail(x, dof, ncp, false);
}

double darc_stats_nchi2_sf(double x, double dof, double ncp)
{
    return nchi2_tail(x, dof, ncp, true);
}

/* Of a law, the first parameter is x here, and the second the degrees of
 * freedom. */
static double tail_of_ncp(double ncp, const void *user)
{
    const law *of = user;
    return nchi2_tail(of->first, of->second, ncp, of->upper);
}

double darc_stats_nchi2_ncp(double x, double dof, double q)
{
    assert(dof > 0 && q > 0 && q < 1);
    if (darc_stats_chi2_sf(x, dof) >= q)
        return 0;
    law of = {.first = x, .second = dof, .upper = q <= 0.5};
    return darc_stats_solve(tail_of_ncp, &of, of.upper ? q : 1 - q, of.upper,
                            x + 1);
}

/* A sum of dof squares that must exceed x estimated variances: halfway in each
 * of so many parts of equal probability is that variance. */
#define VARIANCES 32

/* Of a non-central sum of squares so large the standard deviation is .2 %. */
static const double LARGE = 1e6;

typedef struct {
    double x, dof, variance[VARIANCES];
} uncertain;

static double power_of_ncp(double ncp, const void *user)
{
    const uncertain *of = user;
    double sum = 0;
    for (int k = 0; k < VARIANCES; k++)
        sum += nchi2_tail(of->x * of->variance[k], of->dof, ncp, true);
    return sum / VARIANCES;
}

double darc_stats_detectable_ncp(double dof, double error_dof, double alpha,
                                 double power)
{
    assert(alpha > 0 && alpha < 1 && power > 0 && power < 1);
    uncertain of = {.x = darc_stats_squares_isf(alpha, dof, error_dof),
                    .dof = dof};
    if (!isfinite(of.x))
        return HUGE_VAL;
    if (!(error_dof < CERTAIN))
        return darc_stats_nchi2_ncp(of.x, dof, power);
    if (of.x > LARGE) /* all that varies is the variance */
        return of.x * darc_stats_chi2_quantile(power, error_dof) / error_dof;
    for (int k = 0; k < VARIANCES; k++)
        of.variance[k] =
            darc_stats_chi2_quantile((k + 0.5) / VARIANCES, error_dof) /
            error_dof;
    return darc_stats_solve(power_of_ncp, &of, power, true, of.x + 1);
}

int darc_stats_cmp(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static int cmp_p(const void *a, const void *b)
{
    double x = **(double *const *)a, y = **(double *const *)b;
    return (x > y) - (x < y);
}

void darc_stats_holm(double **p, int n)
{
    qsort(p, (size_t)n, sizeof *p, cmp_p);
    double least = 0;
    for (int k = 0; k < n; k++) {
        least = fmax(least, fmin(1, *p[k] * (n - k)));
        *p[k] = least;
    }
}

darc_p_text darc_stats_p_text(double p)
{
    darc_p_text t;
    int least = p < DARC_LEAST_P;
    snprintf(t.text, sizeof t.text, least ? "p < %g" : "p = %.2g",
             least ? DARC_LEAST_P : p);
    return t;
}
