#include "stats/stats.h"

#include "stats/special.h"

#include <assert.h>
#include <float.h>
#include <math.h>
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
    return x <= 0 ? 0 : darc_stats_gamma_p(dof / 2, x / 2);
}

double darc_stats_chi2_sf(double x, double dof)
{
    assert(dof > 0);
    return x <= 0 ? 1 : darc_stats_gamma_q(dof / 2, x / 2);
}

typedef struct {
    double dof1, dof2;
} dofs;

static double chi2_cdf_of(double x, const void *d)
{
    return darc_stats_chi2_cdf(x, ((const dofs *)d)->dof1);
}

static double chi2_sf_of(double x, const void *d)
{
    return darc_stats_chi2_sf(x, ((const dofs *)d)->dof1);
}

double darc_stats_chi2_quantile(double p, double dof)
{
    assert(p >= 0 && p <= 1 && dof > 0);
    if (p == 0 || p == 1)
        return p == 0 ? 0 : HUGE_VAL;
    if (p > 0.5)
        return darc_stats_chi2_isf(1 - p, dof);
    dofs d = {dof, 0};
    return darc_special_solve(chi2_cdf_of, &d, p, 1, dof);
}

double darc_stats_chi2_isf(double q, double dof)
{
    assert(q >= 0 && q <= 1 && dof > 0);
    if (q == 0 || q == 1)
        return q == 0 ? HUGE_VAL : 0;
    if (q > 0.5)
        return darc_stats_chi2_quantile(1 - q, dof);
    dofs d = {dof, 0};
    return darc_special_solve(chi2_sf_of, &d, q, 0, dof);
}

double darc_stats_t_sf(double t, double dof)
{
    assert(dof > 0);
    if (isinf(t))
        return t > 0 ? 0 : 1;
    double r = t * t / dof; /* x = 1 / (1 + r), y = r / (1 + r) */
    double tail = isinf(r) ? 0
                           : 0.5 * darc_stats_beta(dof / 2, 0.5, 1 / (1 + r),
                                                   r / (1 + r));
    return t > 0 ? tail : 1 - tail;
}

static double t_sf_of(double t, const void *d)
{
    return darc_stats_t_sf(t, ((const dofs *)d)->dof1);
}

double darc_stats_t_quantile(double p, double dof)
{
    assert(p >= 0 && p <= 1 && dof > 0);
    if (p == 0 || p == 1)
        return p == 0 ? -HUGE_VAL : HUGE_VAL;
    if (p == 0.5)
        return 0;
    dofs d = {dof, 0};
    double t = darc_special_solve(t_sf_of, &d, p < 0.5 ? p : 1 - p, 0, 1);
    return p < 0.5 ? -t : t;
}

/* x = dof1 F / (dof1 F + dof2) has the distribution beta(dof1/2, dof2/2). */
double darc_stats_f_cdf(double x, double dof1, double dof2)
{
    assert(dof1 > 0 && dof2 > 0);
    if (x <= 0)
        return 0;
    double r = x * (dof1 / dof2);
    if (isinf(r))
        return 1;
    return darc_stats_beta(dof1 / 2, dof2 / 2, r / (1 + r), 1 / (1 + r));
}

double darc_stats_f_sf(double x, double dof1, double dof2)
{
    assert(dof1 > 0 && dof2 > 0);
    if (x <= 0)
        return 1;
    double r = x * (dof1 / dof2);
    if (isinf(r))
        return 0;
    return darc_stats_beta(dof2 / 2, dof1 / 2, 1 / (1 + r), r / (1 + r));
}

static double f_cdf_of(double x, const void *d)
{
    const dofs *v = d;
    return darc_stats_f_cdf(x, v->dof1, v->dof2);
}

static double f_sf_of(double x, const void *d)
{
    const dofs *v = d;
    return darc_stats_f_sf(x, v->dof1, v->dof2);
}

double darc_stats_f_quantile(double p, double dof1, double dof2)
{
    assert(p >= 0 && p <= 1 && dof1 > 0 && dof2 > 0);
    if (p == 0 || p == 1)
        return p == 0 ? 0 : HUGE_VAL;
    if (p > 0.5)
        return darc_stats_f_isf(1 - p, dof1, dof2);
    dofs d = {dof1, dof2};
    return darc_special_solve(f_cdf_of, &d, p, 1, 1);
}

double darc_stats_f_isf(double q, double dof1, double dof2)
{
    assert(q >= 0 && q <= 1 && dof1 > 0 && dof2 > 0);
    if (q == 0 || q == 1)
        return q == 0 ? HUGE_VAL : 0;
    if (q > 0.5)
        return darc_stats_f_quantile(1 - q, dof1, dof2);
    dofs d = {dof1, dof2};
    return darc_special_solve(f_sf_of, &d, q, 0, 1);
}

typedef struct {
    double a, b;
    int upper; /* the tail to use */
} beta_shape;

static double beta_of(double x, const void *user)
{
    const beta_shape *s = user;
    x = fmin(x, 1);
    return s->upper ? darc_stats_beta(s->b, s->a, 1 - x, x)
                    : darc_stats_beta(s->a, s->b, x, 1 - x);
}

void darc_stats_binomial_interval(long k, long n, double alpha, double *low,
                                  double *high)
{
    assert(n > 0 && k >= 0 && k <= n && alpha > 0 && alpha < 1);
    double m = (double)k, rest = (double)(n - k), start = 0.25;
    beta_shape lower = {m, rest + 1, 0}, upper = {m + 1, rest, 1};
    *low =
        k == 0 ? 0 : darc_special_solve(beta_of, &lower, alpha / 2, 1, start);
    *high =
        k == n ? 1 : darc_special_solve(beta_of, &upper, alpha / 2, 0, start);
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
