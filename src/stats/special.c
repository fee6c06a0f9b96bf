#include "stats/stats.h"

#include <assert.h>
#include <float.h>
#include <math.h>

static const double two_pi = 6.283185307179586476925286766559;

/* log(Gamma(n+1)) - log(sqrt(2 pi n) (n/e)^n) for n > 0.  The asymptotic
 * series ends below 2e-16 from n = 15 on. */
static double stirling_error(double n)
{
    if (n < 15)
        return log(tgamma(n + 1)) - (n + 0.5) * log(n) + n - 0.5 * log(two_pi);
    static const double c[] = {1.0 / 12,    -1.0 / 360, 1.0 / 1260,
                               -1.0 / 1680, 1.0 / 1188, -691.0 / 360360};
    double n2 = n * n, sum = 0;
    for (int i = 5; i >= 0; i--)
        sum = sum / n2 + c[i];
    return sum / n;
}

/* x log(x/m) + m - x, without cancellation near x = m [Loa00]. */
static double deviance(double x, double m)
{
    if (fabs(x - m) >= 0.1 * (x + m))
        return x * log(x / m) + m - x;
    double v = (x - m) / (x + m), sum = (x - m) * v, term = 2 * x * v;
    for (int j = 1; j < 100; j++) {
        term *= v * v;
        double next = sum + term / (2 * j + 1);
        if (next == sum)
            break;
        sum = next;
    }
    return sum;
}

double darc_stats_poisson(double a, double x)
{
    assert(a >= 0 && x >= 0);
    if (x == 0)
        return a == 0 ? 1 : 0;
    if (isinf(x))
        return 0;
    if (a < 15)
        return exp(a * log(x) - x - log(tgamma(a + 1)));
    return exp(-stirling_error(a) - deviance(a, x)) / sqrt(two_pi * a);
}

/* Return x^a y^b Gamma(a+b+1) / (Gamma(a+1) Gamma(b+1)), a, b >= 0,
 * x + y = 1: the binomial density of a successes in a + b trials. */
static double binomial(double a, double b, double x, double y)
{
    assert(a >= 0 && b >= 0);
    if (x <= 0)
        return a == 0 ? 1 : 0;
    if (y <= 0)
        return b == 0 ? 1 : 0;
    if (a == 0)
        return exp(b * (x < 0.5 ? log1p(-x) : log(y)));
    if (b == 0)
        return exp(a * (y < 0.5 ? log1p(-y) : log(x)));
    double n = a + b;
    double e = stirling_error(n) - stirling_error(a) - stirling_error(b) -
               deviance(a, n * x) - deviance(b, n * y);
    return exp(e) * sqrt(n / (two_pi * a * b));
}

/* P(a, x) by its power series, all terms positive; for x < a + 1. */
static double gamma_series(double a, double x)
{
    double term = 1, sum = 1;
    for (double k = a + 1; term > sum * (DBL_EPSILON / 8); k++) {
        term *= x / k;
        sum += term;
    }
    return darc_stats_poisson(a, x) * sum;
}

/* Q(a, x) by Legendre's continued fraction (modified Lentz); x >= a + 1. */
static double gamma_fraction(double a, double x)
{
    double b = x + 1 - a, c = HUGE_VAL, d = 1 / b, h = d;
    for (double i = 1; i < 1e8; i++) {
        double an = -i * (i - a);
        b += 2;
        d = 1 / (an * d + b);
        c = b + an / c;
        h *= c * d;
        if (fabs(c * d - 1) < 2 * DBL_EPSILON)
            break;
    }
    return darc_stats_poisson(a, x) * a * h;
}

double darc_stats_gamma_p(double a, double x)
{
    assert(a > 0 && x >= 0);
    if (x == 0)
        return 0;
    return x < a + 1 ? gamma_series(a, x) : 1 - gamma_fraction(a, x);
}

double darc_stats_gamma_q(double a, double x)
{
    assert(a > 0 && x >= 0);
    if (x == 0 || isinf(x))
        return x == 0 ? 1 : 0;
    return x < a + 1 ? 1 - gamma_series(a, x) : gamma_fraction(a, x);
}

static double away_from_zero(double v)
{
    return fabs(v) < 1e-300 ? 1e-300 : v;
}

/* The continued fraction of I_x(a, b) (modified Lentz), which converges
 * fast for x <= (a + 1) / (a + b + 2). */
static double beta_fraction(double a, double b, double x)
{
    double c = 1, d = 1 / away_from_zero(1 - (a + b) * x / (a + 1)), h = d;
    for (double m = 1; m < 1e8; m++) {
        double even = m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m));
        d = 1 / away_from_zero(1 + even * d);
        c = away_from_zero(1 + even / c);
        h *= c * d;
        double odd =
            -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1));
        d = 1 / away_from_zero(1 + odd * d);
        c = away_from_zero(1 + odd / c);
        h *= c * d;
        if (fabs(c * d - 1) < 2 * DBL_EPSILON)
            break;
    }
    return h;
}

static double beta_lower(double a, double b, double x, double y)
{
    return binomial(a, b, x, y) * (b / (a + b)) * beta_fraction(a, b, x);
}

double darc_stats_beta(double a, double b, double x, double y)
{
    assert(a > 0 && b > 0 && x >= 0 && y >= 0);
    if (x == 0 || y == 0)
        return x == 0 ? 0 : 1;
    if (x <= (a + 1) / (a + b + 2))
        return beta_lower(a, b, x, y);
    return 1 - beta_lower(b, a, y, x);
}

/* Widen x[0] .. x[1] by doubling until g, increasing, changes sign; return
 * whether it does. */
static int bracket(double (*f)(double, const void *), const void *user,
                   double logp, double sign, double x[2], double g[2])
{
    g[0] = g[1] = sign * (log(f(x[0], user)) - logp);
    while (g[1] < 0 && x[1] < DBL_MAX / 2) {
        x[0] = x[1];
        g[0] = g[1];
        x[1] *= 2;
        g[1] = sign * (log(f(x[1], user)) - logp);
    }
    while (g[0] > 0 && x[0] > DBL_MIN) {
        x[1] = x[0];
        g[1] = g[0];
        x[0] /= 2;
        g[0] = sign * (log(f(x[0], user)) - logp);
    }
    return g[0] <= 0 && g[1] >= 0;
}

double darc_stats_solve(double (*f)(double x, const void *user),
                        const void *user, double p, int rising, double start)
{
    double x[2] = {start, start}, g[2], logp = log(p), sign = rising ? 1 : -1;
    if (!bracket(f, user, logp, sign, x, g))
        return g[1] < 0 ? HUGE_VAL : 0;
    for (int i = 0; i < 200 && x[1] - x[0] > 2 * DBL_EPSILON * x[1]; i++) {
        double m = x[0] - g[0] * (x[1] - x[0]) / (g[1] - g[0]);
        /* False position that stalls or meets an infinite end: bisect. */
        if (!(m > x[0] && m < x[1]) || i % 4 == 3)
            m = x[0] < x[1] / 4 ? sqrt(x[0]) * sqrt(x[1])
                                : x[0] + (x[1] - x[0]) / 2;
        double gm = sign * (log(f(m, user)) - logp);
        if (gm == 0 || m <= x[0] || m >= x[1])
            return m;
        int end = gm < 0 ? 0 : 1;
        /* Anderson-Bjorck: shrink the value at the end that is kept. */
        double shrink = 1 - gm / g[end];
        g[1 - end] *= shrink > 0 ? shrink : 0.5;
        x[end] = m;
        g[end] = gm;
    }
    return x[0] + (x[1] - x[0]) / 2;
}
