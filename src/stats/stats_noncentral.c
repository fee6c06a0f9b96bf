#include "stats/stats.h"

#include "stats/special.h"

#include <assert.h>
#include <float.h>
#include <math.h>

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

static double term_lower(const mixture *m, double j)
{
    return darc_special_poisson(j, m->lambda) *
           darc_stats_gamma_p(m->a + j, m->x);
}

static double term_upper(const mixture *m, double j)
{
    return darc_special_poisson(j, m->lambda) *
           darc_stats_gamma_q(m->a + j, m->x);
}

static double sum_lower(const mixture *m)
{
    double peak = fmin(product_peak(m), floor(m->lambda)), step = 16;
    double top = term_lower(m, peak);
    while (term_lower(m, peak + step) > top * 1e-18)
        step *= 2;
    double j = peak + step, sum = 0, p = darc_stats_gamma_p(m->a + j, m->x);
    double w = darc_special_poisson(j, m->lambda);
    double d = darc_special_poisson(m->a + j, m->x);
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
    double top = term_upper(m, peak);
    while (peak > step && term_upper(m, peak - step) > top * 1e-18)
        step *= 2;
    double j = fmax(peak - step, 0), sum = 0;
    double q = darc_stats_gamma_q(m->a + j, m->x);
    double w = darc_special_poisson(j, m->lambda);
    double d = darc_special_poisson(m->a + j, m->x);
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

double darc_stats_nchi2_cdf(double x, double dof, double ncp)
{
    assert(dof > 0 && ncp >= 0);
    if (x <= 0 || isinf(x))
        return x <= 0 ? 0 : 1;
    if (ncp == 0)
        return darc_stats_chi2_cdf(x, dof);
    mixture m = {dof / 2, x / 2, ncp / 2};
    return x < dof + ncp ? sum_lower(&m) : 1 - sum_upper(&m);
}

double darc_stats_nchi2_sf(double x, double dof, double ncp)
{
    assert(dof > 0 && ncp >= 0);
    if (x <= 0 || isinf(x))
        return x <= 0 ? 1 : 0;
    if (ncp == 0)
        return darc_stats_chi2_sf(x, dof);
    mixture m = {dof / 2, x / 2, ncp / 2};
    return x < dof + ncp ? 1 - sum_lower(&m) : sum_upper(&m);
}

typedef struct {
    double x, dof;
} point;

static double sf_of_ncp(double ncp, const void *user)
{
    const point *p = user;
    return darc_stats_nchi2_sf(p->x, p->dof, ncp);
}

static double cdf_of_ncp(double ncp, const void *user)
{
    const point *p = user;
    return darc_stats_nchi2_cdf(p->x, p->dof, ncp);
}

double darc_stats_nchi2_ncp(double x, double dof, double q)
{
    assert(dof > 0 && q > 0 && q < 1);
    if (darc_stats_chi2_sf(x, dof) >= q)
        return 0;
    point p = {x, dof};
    if (q > 0.5)
        return darc_special_solve(cdf_of_ncp, &p, 1 - q, 0, x + 1);
    return darc_special_solve(sf_of_ncp, &p, q, 1, x + 1);
}

double darc_stats_detectable_ncp(double dof, double alpha, double power)
{
    assert(alpha > 0 && alpha < 1 && power > 0 && power < 1);
    return darc_stats_nchi2_ncp(darc_stats_chi2_isf(alpha, dof), dof, power);
}
